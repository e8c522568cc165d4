import { parentPort, workerData } from 'node:worker_threads';
import { type Post, readPosts } from './read-ahead.ts';

// The second thread of `readAhead`.

parentPort?.on('message', (posts: Post[]) => parentPort?.postMessage(readPosts(posts, String(workerData))));

import { connect } from 'node:net';
import { parseArgs } from 'node:util';

// drippers --port N --count N
//
// Visitors who send the headers of a request a line a second and never come to their end. Those who are cut come back.
// Says "dripping" once all are connected, and goes on until it is killed.

const { values } = parseArgs({ options: { port: { type: 'string' }, count: { type: 'string' } } });
const port = Number(values.port);
const count = Number(values.count);
let connected = 0;

function drip(): void {
  let dripping: NodeJS.Timeout | undefined;
  const socket = connect(port, '127.0.0.1', () => {
    dripping = setInterval(() => socket.write('X-More: a\r\n'), 1_000);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    connected += 1;
    if (connected === count) process.stdout.write('dripping\n');
  });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    clearInterval(dripping);
    drip();
  });
  socket.resume();
}

// One after another over a second, so that they do not all drip at once.
for (let number = 0; number < count; number++) setTimeout(drip, (number * 1_000) / count);

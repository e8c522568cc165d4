import { connect } from 'node:net';
import { attacks } from './attack-table.ts';

// attacker PORT NAME: attacks until killed; answers messages with the number of requests sent.

const [port, name] = process.argv.slice(2);
const attack = attacks.find((one) => one.name === name);
if (attack === undefined) throw new Error(`There is no attack "${name}".`);
const { connections, perSecond, send, begin, unread } = attack;
let sent = 0;

function attackOnce(): void {
  let answered = true;
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.on('end', () => socket.destroy());
  if (!unread) {
    socket.on('data', () => {
      answered = true;
    });
  }
  if (begin !== undefined) socket.write(begin);
  const sending = setInterval(() => {
    if (!answered && begin === undefined && !unread) return;
    answered = false;
    socket.write(send(sent));
    sent += 1;
  }, 1_000 / perSecond);
  socket.on('close', () => {
    clearInterval(sending);
    setTimeout(attackOnce, 50);
  });
}

for (let number = 0; number < connections; number++) setTimeout(attackOnce, (number * 1_000) / connections);
process.on('message', () => process.send?.(sent));
process.on('disconnect', () => process.exit());

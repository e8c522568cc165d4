// npm leaves out, without a word, what needs a later Node than its own: the encoder of pictures needs 20.9. npm names its
// Node here; the one that runs this may already be the project's. Runs on Node 12 and later.
const [, major, minor] = /\bnode\/v(\d+)\.(\d+)/.exec(process.env.npm_config_user_agent) || [];

if (Number(major) < 20 || (Number(major) === 20 && Number(minor) < 9)) {
  process.stderr.write(
    `"npm ci" needs Node.js 20.9 or later with the npm that comes with it, and is run by v${major}.${minor}.\n` +
      'What was installed lacks the encoder of pictures. Put a later Node first on the PATH, and run it again.\n',
  );
  process.exitCode = 1;
}

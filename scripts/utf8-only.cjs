const { StringDecoder } = require('node:string_decoder');

// What Express needs of iconv-lite. That knows a hundred encodings by tables of 400 KB; forms here come in one, and
// the form's router refuses those that say another before it parses them.

module.exports = {
  encodingExists: (name) => /^utf-?8$/i.test(name),
  getDecoder: () => new StringDecoder('utf8'),
  decode: (bytes) => bytes.toString(),
};

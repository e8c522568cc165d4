import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import sharp from 'sharp';
import { cleanDrawing } from './clean-drawing.ts';

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 64 64"${attributes}>${inside}<path d="M0 0h9v9z"/></svg>`;

function refusal(text: string | Buffer): string | undefined {
  const clean = cleanDrawing(Buffer.from(text as string));
  return 'message' in clean ? clean.message : undefined;
}

function cleaned(text: string | Buffer): string {
  const clean = cleanDrawing(Buffer.from(text as string));
  return 'message' in clean ? clean.message : String(clean);
}

const [runs, loads, moves] = ['что-то запускает', 'загружает другой файл или ссылается наружу', 'Рисунок движется'];
const [bitmap, tooMuch, broken] = ['картинка из точек', 'слишком много повторов', 'Файл испорчен'];

/** Levels of ten references each. */
const levels = (count: number, one: (to: number) => string, wrap: (inside: string, n: number) => string) =>
  Array.from({ length: count }, (_, n) => wrap(n === 0 ? '<path d="M0 0h9"/>' : one(n - 1).repeat(10), n)).join('');

const refused: readonly [name: string, text: string | Buffer, said: string][] = [
  ['a script', svg('<script>alert(1)</script>'), runs],
  ['a script with a prefix', svg('<a-b:script xmlns:a-b="http://www.w3.org/2000/svg"/>'), runs],
  ['a script of HTML', svg('<script xmlns="http://www.w3.org/1999/xhtml"/>'), runs],
  ['a handler', svg('<g onload="alert(1)"/>'), runs],
  ['a handler in capitals', svg('<g ONLOAD="alert(1)"/>'), runs],
  ['an address that runs', svg('<a href="javascript:alert(1)"/>'), runs],
  ['an address that runs, in entities and lines', svg('<a xlink:href=" &#106;ava&#10;script:alert(1)"/>'), runs],
  ['a link', svg('<a href="https://example.com/"/>'), loads],
  ['a drawing of another file', svg('<use href="other.svg#a"/>'), loads],
  ['a drawing of an address', svg('<use xlink:href="data:image/svg+xml,a"/>'), loads],
  ['a picture of another site', svg('<image href="//example.com/a.png"/>'), loads],
  ['a filter that loads', svg('<filter><feImage href="https://example.com/"/></filter>'), loads],
  ['a fill that loads', svg('<path fill="url(https://example.com/a.svg#b)"/>'), loads],
  [
    'a fill that loads behind a function in a string',
    svg(`<path style='font-family:"rgb(";fill:url(//example.com)'/>`),
    loads,
  ],
  ['a style that loads', svg('<path style="fill:URL( \'//example.com\')"/>'), loads],
  ['a sheet that loads', svg('<style>path{fill:url(a.svg)}</style>'), loads],
  ['a sheet that loads, in numbers', svg('<style>path{fill:u\\72l(//a)}</style>'), loads],
  ['a sheet that imports', svg('<style><![CDATA[@import "a.css";]]></style>'), loads],
  ['a sheet that imports, in numbers', svg('<style>@\\69 mport "a.css";</style>'), loads],
  ['a sheet with a set of pictures', svg('<style>path{cursor:-webkit-image-set("a.png" 1x)}</style>'), loads],
  ['a font', svg('<style>@font-face{font-family:a;src:local(a)}</style>'), 'загружает'],
  ['an own font', svg('<style>@font-face{font-family:a}</style>'), 'вложен шрифт'],
  ['a picture of pixels', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'), bitmap],
  ['a pattern of pixels', svg('<pattern id="a"><image xlink:href="data:image/jpeg;base64,/9j/"/></pattern>'), bitmap],
  ['text of HTML', svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>'), 'HTML'],
  ['an attribute that changes', svg('<a href="#x"><set attributeName="href" to="javascript:a"/></a>'), moves],
  ['a movement', svg('<path><animateTransform attributeName="transform"/></path>'), moves],
  ['a movement of a sheet', svg('<style>@keyframes a{}</style>'), loads],
  [
    'repeated shapes',
    svg(
      levels(
        5,
        (to) => `<use href="#l${to}"/>`,
        (inside, n) => `<g id="l${n}">${inside}</g>`,
      ),
    ),
    tooMuch,
  ],
  [
    'repeated patterns',
    svg(
      levels(
        5,
        (to) => `<path fill="url(#l${to})"/>`,
        (inside, n) => `<pattern id="l${n}">${inside}</pattern>`,
      ),
    ),
    tooMuch,
  ],
  [
    'repeated patterns of a sheet',
    svg(
      `${levels(
        5,
        (to) => `<path class="c${to}"/>`,
        (inside, n) => `<pattern id="l${n}">${inside}</pattern>`,
      )}<style>${Array.from({ length: 5 }, (_, n) => `.c${n}{fill:url(#l${n})}`).join('')}</style>`,
    ),
    tooMuch,
  ],
  ['a shape that shows itself', svg('<g id="a"><use href="#a"/></g>'), tooMuch],
  [
    'a marker at each of many corners',
    svg(`<marker id="a">${'<path/>'.repeat(200)}</marker><path marker-mid="url(#a)" d="${'h9v9'.repeat(200)}"/>`),
    tooMuch,
  ],
  ['steps of a filter that double', svg(`<filter id="a">${'<feBlend/>'.repeat(20)}</filter>`), tooMuch],
  [
    'levels whose names are encoded',
    svg(
      levels(
        6,
        (to) => `<path mask="url(#l%30${to})"/>`,
        (inside, n) => `<mask id="l0${n}">${inside}</mask>`,
      ),
    ),
    tooMuch,
  ],
  ['noise without end', svg('<filter id="a"><feTurbulence numOctaves="2000000000"/></filter>'), tooMuch],
  [
    'an effect for each shape',
    svg(`<filter id="a"><feGaussianBlur/></filter>${'<path filter="url(#a)"/>'.repeat(1000)}`),
    tooMuch,
  ],
  ['thousands of groups in each other', svg('<g>'.repeat(2500) + '</g>'.repeat(2500)), tooMuch],
  ['more than 64 KB', svg(`<path d="${'M0 0h9v9z'.repeat(8000)}"/>`), 'больше 64 КБ'],
  ['an element without end', svg('<g>'), broken],
  ['an entity that it does not declare', svg('<text>&a;</text>'), broken],
  ['an entity of entities', `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${svg('<text>&c;</text>')}`, broken],
  [
    'another encoding than it says',
    Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${svg('')}\xff`, 'latin1'),
    broken,
  ],
  ['no drawing', '<html xmlns="http://www.w3.org/1999/xhtml"/>', broken],
];

test.each(refused)('a drawing with %s is refused with the reason', (_, text, said) => {
  expect(refusal(text)).toContain(said);
});

test('a refused drawing is reported at its line', () => {
  const clean = cleanDrawing(Buffer.from(svg('\n\n<g onload="a"/>')));
  expect(clean).toMatchObject({ line: 3 });
});

const secret = 'C:\\Users\\Invented Person\\logo.png';
const plain = cleaned(svg('<g id="a"/>'));

/** What programs that draw write around a drawing, or into it. */
const programs: readonly [name: string, text: string][] = [
  [
    'Illustrator, CorelDRAW and Affinity',
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: ${secret} -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('<g id="a"/>')}`,
  ],
  [
    'Illustrator that can edit it again',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n<!ENTITY ns_i "http://ns.adobe.com/AdobeIllustrator/10.0/">]>${svg(
      `<foreignObject requiredExtensions="&ns_i;"><i:aipgfRef xlink:href="#a"/></foreignObject><g id="a"/><i:aipgf>${secret}</i:aipgf>`,
      ' xmlns:i="&ns_i;"',
    )}`,
  ],
  [
    'Inkscape',
    svg(
      `<sodipodi:namedview inkscape:zoom="1"><inkscape:grid/></sodipodi:namedview><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${secret}</rdf:RDF></metadata><g id="a" inkscape:label="${secret}"/>`,
      ` xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" inkscape:export-filename="${secret}" sodipodi:docname="${secret}"`,
    ),
  ],
  ['Sketch and Figma', svg(`<title>${secret}</title><desc>${secret}</desc><g id="a" data-name="${secret}"/>`)],
  ['CorelDRAW, in UTF-16', `\uFEFF<?xml version="1.0" encoding="UTF-16"?>${svg('<g id="a"/>')}`],
  [
    'a program that uses prefixes',
    svg('<g id="a"/>')
      .replace(/<(\/?)(\w)/g, '<$1s:$2')
      .replace('xmlns=', 'xmlns:s='),
  ],
];

test.each(programs)('a drawing of %s is published without what the program wrote', (name, text) => {
  expect(cleaned(Buffer.from(text, name.includes('UTF-16') ? 'utf16le' : 'utf8'))).toBe(plain);
});

test('a drawing keeps its styles, gradients, masks, effects and texts', () => {
  const inside =
    '<style>.a{fill:url(#b);font-family:\'A\\42\'}@media print{.a{fill:#000}}</style><defs><linearGradient id="b"><stop offset="0" stop-color="#123"/></linearGradient>' +
    '<filter id="c"><feGaussianBlur stdDeviation="2"/></filter></defs><text xml:space="preserve" class="a" style="filter:url(#c);transform:rotate(2deg)"> 1 &lt; 2 <tspan>&#10;x</tspan></text><use xlink:href="#b"/>';
  expect(cleaned(svg(inside))).toBe(svg(inside.replace('&#10;', '\n').replace('\n', '&#10;')));
});

/** Without letters, which a search for what is forbidden could find. */
const marks = fc.stringMatching(/^[ -@[-`{-~]{0,8}$/);
const weighted = (usual: readonly string[], others: readonly string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const shape = fc.record({
  name: weighted(['path', 'rect', 'g', 'use', 'text', 'style', 'i:x'], ['script', 'image', 'set', 'foreignObject']),
  attribute: weighted(['d', 'x', 'fill', 'style', 'href', 'xlink:href', 'i:path', 'id', 'data-x'], ['onload']),
  value: fc.oneof(
    weighted(['#a', 'M0 0h30v30z', 'red', 'url(#a)', 'fill:red', 'a'], ['u\\72l(//a)', 'javascript:a', 'https://a/']),
    marks,
  ),
  words: marks,
});
const escaped = (text: string) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const { shapes } = fc.letrec<{ shapes: string }>((tie) => ({
  shapes: fc.oneof(
    { maxDepth: 4 },
    fc.constant(''),
    fc
      .array(fc.tuple(shape, tie('shapes')), { minLength: 1, maxLength: 3 })
      .map((all) =>
        all.map(
          ([{ name, attribute, value, words }, inside]) =>
            `<${name} ${attribute}="${escaped(value)}">${escaped(words)}${inside}</${name}>`,
        ),
      )
      .map((all) => all.join('')),
  ),
}));

test('any drawing is refused, or draws the same without running, loading or naming anything', async () => {
  const forbidden = /<(script|image|set|foreignObject|i:)|\s(onload|i:path|data-x)=|href="[^#"]|72l\(/;
  await fc.assert(
    fc.asyncProperty(shapes, async (inside) => {
      const text = svg(inside, ' xmlns:i="urn:program"');
      const clean = cleanDrawing(Buffer.from(text));
      if ('message' in clean) return;
      expect(String(clean)).not.toMatch(forbidden);
      expect(String(cleanDrawing(clean))).toBe(String(clean));
      const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
      expect((await pixels(clean)).equals(await pixels(Buffer.from(text)))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

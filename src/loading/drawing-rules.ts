import type { SaxesTagNS } from 'saxes';
import { type DrawingElement, namespaces } from './drawing-tree.ts';
import { guillemets, Refusal } from './problem.ts';

/** What draws in every browser (SVG 2). Filters leave out what may load a file or take a thousand numbers. */
const elements = new Set(
  `svg g defs symbol use switch a path rect circle ellipse line polyline polygon text tspan textPath style
  linearGradient radialGradient stop pattern clipPath mask marker filter feBlend feColorMatrix feComponentTransfer
  feFuncR feFuncG feFuncB feFuncA feComposite feDiffuseLighting feSpecularLighting feDistantLight fePointLight feSpotLight
  feDisplacementMap feDropShadow feFlood feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence`.split(
    /\s+/,
  ),
);

const attributes = new Set(
  `id class style version type media x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy z width height d points pathLength viewBox
  preserveAspectRatio transform transform-origin gradientTransform gradientUnits spreadMethod offset patternUnits
  patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX
  refY orient filterUnits primitiveUnits in in2 result stdDeviation mode values tableValues slope intercept amplitude
  exponent operator k1 k2 k3 k4 radius scale xChannelSelector yChannelSelector surfaceScale diffuseConstant
  specularConstant specularExponent azimuth elevation pointsAtX pointsAtY pointsAtZ limitingConeAngle baseFrequency
  numOctaves seed stitchTiles rotate textLength lengthAdjust startOffset method spacing side systemLanguage
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering direction display dominant-baseline enable-background fill fill-opacity fill-rule filter flood-color
  flood-opacity font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  image-rendering isolation kerning letter-spacing lighting-color marker marker-start marker-mid marker-end mask
  mask-type mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor
  text-decoration text-rendering unicode-bidi vector-effect visibility white-space word-spacing writing-mode`.split(
    /\s+/,
  ),
);

const remedy = 'Экспортируйте рисунок заново, с одними фигурами, или сохраните его как PNG.';

const running = (found: string) => new Refusal(`В рисунке есть ${guillemets(found)}: он что-то запускает. ${remedy}`);

const loading = (found: string) =>
  new Refusal(`В рисунке есть ${guillemets(found)}: он загружает другой файл или ссылается наружу. ${remedy}`);

/**
 * @returns `undefined` for what draws nothing, such as an editor's own data
 * @throws {Refusal} for what does more than draw
 */
export function drawingElement({ local: name, uri, attributes: given }: SaxesTagNS): DrawingElement | undefined {
  if (name === 'script') throw running(name);
  if (uri !== namespaces.svg && uri !== '') return undefined;
  const all = Object.values(given);
  const valueIn = (wanted: string) => all.find(({ local }) => local === wanted)?.value;
  // Illustrator's own copy of the drawing, which browsers pass over.
  if (name === 'foreignObject' && valueIn('requiredExtensions') !== undefined) return undefined;
  requireDrawn(name, valueIn('href') ?? '');
  if (!elements.has(name)) return undefined;
  const kept = all.flatMap((attribute) => drawingAttribute(attribute));
  return { name, attributes: new Map(kept), children: [] };
}

function requireDrawn(name: string, href: string): void {
  if (/^(animate.*|set)$/.test(name)) {
    throw new Refusal(
      `Рисунок движется («${name}»), а сайт показывает неподвижные. Уберите анимацию или сохраните её как видео (mp4).`,
    );
  }
  if (name === 'foreignObject') {
    throw new Refusal(
      'Текст в рисунке - это HTML («foreignObject»), его видно не везде. Переведите текст в кривые или сохраните рисунок как PNG.',
    );
  }
  if (name !== 'image' && name !== 'feImage') return;
  if (!/^\s*(data:|$)/i.test(href)) throw loading(href);
  throw new Refusal(
    `В рисунок вложена картинка из точек («${name}»). Обведите её фигурами или сохраните весь рисунок как PNG.`,
  );
}

type Attribute = SaxesTagNS['attributes'][string];

/** @returns it alone, or nothing */
function drawingAttribute({ local: name, uri, value }: Attribute): [name: string, value: string][] {
  if (/^on/i.test(name) && uri === '') throw running(name);
  if (name === 'href' && (uri === '' || uri === namespaces.xlink)) {
    requireInside(value);
    return [[uri === '' ? name : 'xlink:href', value.trim()]];
  }
  if (name === 'space' && uri === namespaces.xml) return [['xml:space', value]];
  if (uri !== '' || !attributes.has(name)) return [];
  requireHarmless(value);
  return [[name, value]];
}

function requireInside(href: string): void {
  // Browsers ignore blanks and line ends in addresses.
  const address = href.replace(/\s/g, '');
  if (/^javascript:/i.test(address)) throw running(href);
  if (address !== '' && !address.startsWith('#')) throw loading(href);
}

/** Functions of CSS that load nothing, except `url`. */
const functions =
  /^(media|url|rgba?|hsla?|hwb|(ok)?la[bch]|(ok)?lch|color|color-mix|icc-color|device-cmyk|var|calc|min|max|clamp|matrix(3d)?|(translate|scale|rotate)([xyz]|3d)?|skew[xy]?|inset|circle|ellipse|polygon|path|blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|not|is|where|nth-[\w-]+)$/;

/** @throws {Refusal} if a value of CSS loads something */
function requireHarmless(css: string): void {
  // What follows is looked at and not taken, because a string may have a bracket that hides a function behind it.
  for (const [, name = '', argument = ''] of plainCss(css).matchAll(/(?<![\w-])([\w-]+)\((?=([^)]{0,60}))/g)) {
    const isKnown = functions.test(name.toLowerCase());
    const isOutside = name.toLowerCase() === 'url' && !/^\s*["']?#/.test(argument);
    if (!isKnown || isOutside) throw loading(`${name}(${argument}`);
  }
}

/** @throws {Refusal} if a style sheet loads something */
export function requireHarmlessSheet(css: string): void {
  requireHarmless(css);
  const rule = plainCss(css).match(/@(?!media\b)[\w-]+/i)?.[0];
  if (rule?.toLowerCase() === '@font-face') {
    throw new Refusal(
      'В рисунок вложен шрифт («@font-face»). Переведите текст в кривые и экспортируйте рисунок заново, или сохраните его как PNG.',
    );
  }
  if (rule) throw loading(rule);
}

/** CSS may write any letter as a number (CSS Syntax 3, 4.3.7). */
export function plainCss(css: string): string {
  return css.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, number: string | undefined, other: string) => {
    const point = Number.parseInt(number ?? '', 16);
    return number === undefined ? other : String.fromCodePoint(point <= 0x10ffff ? point : 0xfffd);
  });
}

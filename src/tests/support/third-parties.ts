import type { BrowserContext } from 'playwright-core';

/** The token that the Cloudflare widget puts into a form. */
export const challengeToken = 'token-of-the-widget';

/** A request that left the site. */
type Outside = { url: string; body: string };

export type ThirdParties = {
  /** Every request to another origin so far, in order. */
  requests: Outside[];
  /** The requests whose address has this prefix. */
  to(start: string): Outside[];
};

/**
 * Fakes Yandex and Cloudflare at the network level. The scripts load, send, store and
 * show in every way that the real ones do, so that CSP violations fail tests.
 */
export async function fakeThirdParties(context: BrowserContext): Promise<ThirdParties> {
  const requests: Outside[] = [];
  context.on('request', (request) => {
    if (request.url().startsWith('https:')) requests.push({ url: request.url(), body: request.postData() ?? '' });
  });
  await context.route(/^https:/, (route) => {
    const url = route.request().url();
    const script = Object.keys(scripts).find((start) => url.startsWith(start)) ?? '';
    const isImage = route.request().resourceType() === 'image';
    return route.fulfill({
      contentType: isImage
        ? 'image/svg+xml'
        : script.endsWith('.css')
          ? 'text/css'
          : script
            ? 'text/javascript'
            : 'text/html',
      headers: { 'access-control-allow-origin': '*' },
      body: isImage ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : scripts[script],
    });
  });
  return { requests, to: (start) => requests.filter(({ url }) => url.startsWith(start)) };
}

/** By the prefix of their address. */
const scripts: Readonly<Record<string, string>> = {
  'https://mc.yandex.ru/metrika/tag.js': `
    (() => {
      const counters = {};
      const send = (what, body = '') => fetch('https://mc.yandex.ru/' + what, { method: 'POST', mode: 'no-cors', keepalive: true, body }).then((answer) => answer.text());
      function init(id, options) {
        if (counters[id]) return;
        document.cookie = '_ym_uid=1; path=/; max-age=1000';
        document.cookie = '_ym_isad=2; path=/; max-age=1000; domain=' + location.hostname;
        localStorage._ym_uid = localStorage['_ym' + id + '_lastHit'] = sessionStorage.__ym_tab_guid = '1';
        const recorded = (field) => !field.closest('.ym-disable-keys, .ym-hide-content');
        const replay = ({ type, target }) =>
          send('webvisor/' + id, type + ' ' + (target.value && recorded(target) ? target.value : ''));
        for (const type of ['input', 'change', 'click']) addEventListener(type, replay);
        counters[id] = {
          hit: (url) =>
            send('watch/' + id + '?page-url=' + encodeURIComponent(url) + '&page-ref=' + encodeURIComponent(document.referrer)),
          reachGoal: (name) =>
            send('watch/' + id + '?page-url=' + encodeURIComponent('goal://' + location.host + '/' + name) + '&page-ref=' + encodeURIComponent(location.href)),
          destruct() {
            for (const type of ['input', 'change', 'click']) removeEventListener(type, replay);
            delete counters[id];
          },
        };
        new Image().src = 'https://mc.yandex.com/sync_cookie_image_check';
        for (const source of [URL.createObjectURL(new Blob(['<p>'])), 'https://mc.yandex.com/metrika/match.html']) {
          const frame = document.createElement('iframe');
          frame.hidden = true;
          frame.src = source;
          document.body.append(frame);
        }
        send('options/' + id, JSON.stringify(options));
        const fields = [...document.querySelectorAll('input, textarea')];
        send('webvisor/' + id, 'page ' + fields.filter(recorded).map(({ value }) => value).join(' '));
        counters[id].hit(location.href);
      }
      const run = ([id, method, ...rest]) => (method === 'init' ? init(id, ...rest) : counters[id]?.[method](...rest));
      for (const call of window.ym.a) run(call);
      window.ym.a.push = (...calls) => calls.forEach(run);
    })();`,

  'https://api-maps.yandex.ru/v3/': `
    // The real API keeps an existing object, even if it has failed.
    window.ymaps3 = window.ymaps3 || {
      ready: new Promise((resolve, reject) => {
        const [script, style] = [document.createElement('script'), document.createElement('link')];
        script.src = 'https://yastatic.net/maps/map.js';
        script.onload = () => setTimeout(resolve);
        script.onerror = reject;
        style.rel = 'stylesheet';
        style.href = 'https://yastatic.net/maps/map.css';
        document.head.append(style, script);
      }),
    };`,
  'https://yastatic.net/maps/map.css': '.fake-map { background: #cde; }',
  'https://yastatic.net/maps/worker.js': 'postMessage(1);',
  'https://yastatic.net/maps/map.js': `
    class Piece { constructor(options, element) { Object.assign(this, { options, element }); } }
    window.ymaps3.YMapDefaultSchemeLayer = class Scheme extends Piece {};
    window.ymaps3.YMapDefaultFeaturesLayer = class Features extends Piece {};
    window.ymaps3.YMapMarker = class Marker extends Piece {};
    window.ymaps3.YMap = class {
      constructor(root, options) {
        window.drawn = [options];
        new Function('return 1')();
        fetch('https://core-renderer-tiles.maps.yandex.net/style').then((answer) => answer.text());
        fetch('https://log.api-maps.yandex.ru/watch', { method: 'POST', mode: 'no-cors' }).then((answer) => answer.text());
        const code = "importScripts('https://yastatic.net/maps/worker.js')";
        new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
        new Worker('data:application/javascript,' + encodeURIComponent(code));
        this.root = document.createElement('div');
        this.root.className = 'fake-map';
        this.root.style.height = '100%';
        for (const source of ['https://core-renderer-tiles.maps.yandex.net/tile', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='])
          this.root.append(Object.assign(new Image(), { src: source, alt: '' }));
        root.append(this.root);
      }
      addChild(piece) {
        window.drawn.push([piece.constructor.name, piece.options]);
        if (piece.element) this.root.append(piece.element);
      }
    };`,

  'https://challenges.cloudflare.com/turnstile/v0/api.js': `
    (() => {
      let count = 0;
      const boxes = {};
      window.turnstile = {
        render(box, options) {
          const [frame, token] = [document.createElement('iframe'), document.createElement('input')];
          frame.src = 'https://challenges.cloudflare.com/widget?' + new URLSearchParams(options);
          Object.assign(frame, { title: 'Cloudflare', width: 150, height: 65 });
          Object.assign(token, { type: 'hidden', name: 'cf-turnstile-response' });
          box.append(frame, token);
          setTimeout(() => {
            token.value = '${challengeToken}-' + count;
            options.callback(token.value);
          });
          boxes[++count] = box;
          return String(count);
        },
        remove(widget) {
          boxes[widget].textContent = '';
        },
      };
    })();`,
};

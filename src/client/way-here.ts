const requestTimeoutMs = 15_000;

/** The part of the Yandex Maps 3 API in use. */
type Maps = {
  ready: Promise<void>;
  YMap: new (root: HTMLElement, options: object) => { addChild(child: object): void };
  YMapDefaultSchemeLayer: new (options: object) => object;
  YMapDefaultFeaturesLayer: new (options: object) => object;
  YMapMarker: new (options: object, element: HTMLElement) => object;
};

const page = window as { ymaps3?: Maps };

/** Nothing is requested from Yandex before the click. */
export function bind(element: HTMLElement): void {
  const { key, point = '', place } = element.dataset;
  const view = element.querySelector('.way-here-view') as HTMLElement;
  const status = view.querySelector('[role=status]') as HTMLElement;
  const button = view.querySelector('button') as HTMLElement;

  async function show(): Promise<void> {
    status.textContent = 'Карта загружается…';
    try {
      const maps = await loadMaps(`https://api-maps.yandex.ru/v3/?apikey=${key}&lang=ru_RU`);
      const map = canvas(`Карта: ${place}`);
      view.append(map);
      draw(maps, map, point.split(',').map(Number));
      map.focus({ preventScroll: true });
      for (const other of [...view.children]) if (other !== map) other.remove();
    } catch (error) {
      console.warn(error);
      view.querySelector('.way-here-canvas')?.remove();
      status.textContent = 'Карта не загрузилась. Откройте её в Яндекс Картах.';
      button.remove();
    }
  }

  button.hidden = false;
  button.addEventListener('click', show, { once: true });
}

function loadMaps(address: string): Promise<Maps> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    setTimeout(reject, requestTimeoutMs, 'timeout');
    script.onerror = reject;
    script.onload = () => {
      const maps = page.ymaps3 as Maps;
      Promise.resolve(maps?.ready).then(() => resolve(maps), reject);
    };
    script.src = address;
    document.head.append(script);
  });
}

function canvas(label: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'way-here-canvas';
  element.tabIndex = 0;
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', label);
  return element;
}

/** @param center longitude, latitude */
function draw(maps: Maps, root: HTMLElement, center: number[]): void {
  const marker = document.createElement('div');
  marker.className = 'way-here-marker';
  const map = new maps.YMap(root, {
    location: { center, zoom: 16 },
    // The wheel scrolls the page.
    behaviors: ['drag', 'pinchZoom', 'dblClick'],
  });
  map.addChild(new maps.YMapDefaultSchemeLayer({}));
  map.addChild(new maps.YMapDefaultFeaturesLayer({}));
  map.addChild(new maps.YMapMarker({ coordinates: center }, marker));
}

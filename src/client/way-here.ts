/** Timeout in milliseconds. */
const patience = 15_000;

/** The part of the Yandex Maps 3 API that is used. */
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
  let loading = false;

  async function show(): Promise<void> {
    const canvas = document.createElement('div');
    canvas.className = 'way-here-canvas';
    canvas.setAttribute('aria-busy', 'true');
    view.prepend(canvas);
    status.textContent = 'Карта загружается…';
    try {
      const maps = await loadMaps(`https://api-maps.yandex.ru/v3/?apikey=${key}&lang=ru_RU`);
      draw(maps, canvas, point.split(',').map(Number));
      canvas.removeAttribute('aria-busy');
      canvas.setAttribute('role', 'region');
      canvas.setAttribute('aria-label', `Карта: ${place}`);
      canvas.tabIndex = 0;
      canvas.focus({ preventScroll: true });
      for (const other of [...view.children]) if (other !== canvas) other.remove();
    } catch (error) {
      console.warn(error);
      canvas.remove();
      status.textContent = 'Карта не загрузилась. Попробуйте ещё раз или откройте её в Яндекс Картах.';
      button.textContent = 'Попробовать ещё раз';
    }
  }

  button.hidden = false;
  button.onclick = () => {
    if (loading) return;
    loading = true;
    show().finally(() => {
      loading = false;
    });
  };
}

/** A failed API never recovers, so it is loaded anew. */
function loadMaps(address: string): Promise<Maps> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    page.ymaps3 = undefined;
    setTimeout(reject, patience, 'timeout');
    script.onerror = reject;
    script.onload = () => {
      const maps = page.ymaps3 as Maps;
      Promise.resolve(maps?.ready).then(() => resolve(maps), reject);
    };
    script.src = address;
    document.head.append(script);
  });
}

/** @param center longitude and latitude */
function draw(maps: Maps, canvas: HTMLElement, center: number[]): void {
  const marker = document.createElement('div');
  marker.className = 'way-here-marker';
  const map = new maps.YMap(canvas, {
    location: { center, zoom: 16 },
    // The wheel scrolls the page.
    behaviors: ['drag', 'pinchZoom', 'dblClick'],
  });
  map.addChild(new maps.YMapDefaultSchemeLayer({}));
  map.addChild(new maps.YMapDefaultFeaturesLayer({}));
  map.addChild(new maps.YMapMarker({ coordinates: center }, marker));
}

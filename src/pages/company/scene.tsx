/** Drawn by `Scene`, which has to be on the page. */
export function SceneCarton({ x, y }: { x?: string; y?: string }) {
  return <use href="#scene-carton" x={x} y={y} />;
}

/** @param drawing in place of the shipped warehouse; the upper edge of the receipt lies 372 units below its top */
export function Scene({ drawing }: { drawing: string | undefined }) {
  return (
    <div className="scene" aria-hidden="true">
      <svg
        viewBox="0 0 640 372"
        fill="#d9b382"
        stroke="#1d1a16"
        strokeWidth="2"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <CartonDefinition />
        {drawing ? <image href={drawing} width="640" height="564" preserveAspectRatio="xMidYMin" /> : <Warehouse />}
      </svg>
    </div>
  );
}

/** The receipt, which the bill continues, comes out of the door, from 48 to 468 at the lower edge. */
function Warehouse() {
  return (
    <>
      <path fill="#b98a52" d="M134 205l728 420v14l-728-420z" />
      <path fill="#f4ead9" d="M134 205l260-150 727 420-259 150z" />
      <path fill="none" stroke="#b98a52" strokeWidth="3" strokeDasharray="12 9" d="M164 188l727 420" />
      <path fill="#eed9b8" stroke="none" d="M437 310l156-90 31 18-156 90z" />
      <path fill="#faf6ef" d="M264 210v-110l173 100v110z" />
      <path fill="#fffdf9" d="M264 100l156-90 173 100-156 90z" />
      <path fill="#eed9b8" d="M437 310v-110l156-90v110z" />
      <path fill="none" d="M281 100l139-80 156 90-139 80z" />
      <path fill="#b98a52" d="M278 218v-90l139 80v90z" />
      <path fill="#1d1a16" d="M285 222v-82l125 72v82z" />
      <path d="M285 140v22l125 72v-22zM285 155l125 72M285 148l125 72" />
      <path fill="#eed9b8" d="M394 65l26-15 104 60-26 15zM333 100l26-15 104 60-26 15z" />
      <path d="M463 251v-40l44-25v40zM485 239v-40M463 231l44-25" />
      <path d="M507 308v-10l76 44v10z" />
      <path fill="#eed9b8" d="M507 298l76-44 76 44-76 44z" />
      <path fill="#b98a52" d="M583 352v-10l76-44v10z" />
      <SceneCarton x="583" y="297" />
      <SceneCarton x="619" y="318" />
      <SceneCarton x="546" y="318" />
      <SceneCarton x="583" y="339" />
      <SceneCarton x="583" y="263" />
      <SceneCarton x="619" y="284" />
      <SceneCarton x="546" y="284" />
      <SceneCarton x="221" y="205" />
      <path fill="#b98a52" stroke="none" d="M520 418l134 77 38-22-133-77z" />
      <path fill="#faf6ef" d="M515 399v-72l87 50v72z" />
      <path fill="#faf6ef" d="M515 327l44-25 86 50-43 25z" />
      <path fill="#eed9b8" d="M602 449v-72l43-25v72z" />
      <path d="M607 454v-30l33 19v30z" />
      <path d="M607 424l40-23 33 19-40 23z" />
      <path fill="#eed9b8" d="M640 473v-30l40-23v30z" />
      <path d="M607 424v-26l19 11 14 34z" />
      <path fill="#eed9b8" d="M607 398l40-23 19 11-40 23z" />
      <path fill="#fffdf9" d="M626 409l40-23 14 34-40 23z" />
      <path fill="#fffdf9" d="M612 425v-18l12 7 10 24z" />
      <path fill="#fffdf9" d="M645 463v-8l7-4v8zM668 450v-8l7-4v8z" />
      <ellipse fill="#1d1a16" cx="537" cy="414" rx="13" ry="7.5" transform="rotate(60 537 414)" />
      <ellipse fill="#eed9b8" cx="538" cy="413.5" rx="5.5" ry="3" transform="rotate(60 538 413.5)" />
      <ellipse fill="#1d1a16" cx="620" cy="462" rx="13" ry="7.5" transform="rotate(60 620 462)" />
      <ellipse fill="#eed9b8" cx="621" cy="461.5" rx="5.5" ry="3" transform="rotate(60 621 461.5)" />
      <path fill="#fffdf9" d="M48 372C48 289 183 293 273 241L295 228L399 288L377 301C363 309 468 305 468 372" />
      <path
        fill="none"
        stroke="#b98a52"
        strokeWidth="3"
        d="M228 270L314 290M341 296L368 302M175 288L304 300M343 304L383 308M128 306L300 314M352 317L405 319M94 332L299 336M362 338L426 339"
      />
    </>
  );
}

function CartonDefinition() {
  return (
    <defs>
      <g id="scene-carton">
        <path d="M0 0v-34l-35-20v34z" />
        <path fill="#eed9b8" d="M-35-54l35-20 35 20-35 20z" />
        <path fill="#b98a52" d="M0 0l35-20v-34l-35 20z" />
        <path stroke="none" d="M-21-62l35 20 6-4-35-20z" />
        <path fill="#b98a52" stroke="none" d="M14-42l6-4v10l-6 4z" />
      </g>
    </defs>
  );
}

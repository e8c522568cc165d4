declare module 'subset-font' {
  type Options = {
    targetFormat: 'sfnt' | 'woff' | 'woff2';
    /** Tags of layout features to keep; by default all. */
    keepFeatures?: readonly string[];
    /** Drops glyphs that only substitutions use. */
    noLayoutClosure?: boolean;
    noHinting?: boolean;
  };
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}

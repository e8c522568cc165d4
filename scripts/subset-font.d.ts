declare module 'subset-font' {
  type Options = {
    targetFormat: 'sfnt' | 'woff' | 'woff2';
    /** Tags of layout features to keep; without it, all. */
    keepFeatures?: readonly string[];
    /** Keeps glyphs out that only a substitution could show. */
    noLayoutClosure?: boolean;
    noHinting?: boolean;
  };
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}

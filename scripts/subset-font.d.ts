declare module 'subset-font' {
  type Options = {
    targetFormat: 'sfnt' | 'woff' | 'woff2';
    /** Layout feature tags to keep; all by default. */
    keepFeatures?: readonly string[];
    /** Drops glyphs used only by substitutions. */
    noLayoutClosure?: boolean;
    noHinting?: boolean;
  };
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}

declare module '*.css';
declare module '*.njk' {
  const template: string;
  export default template;
}

export function ExternalLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} rel="noopener">
      {text}
    </a>
  );
}

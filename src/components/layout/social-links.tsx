import type { Company } from '../../model/content.ts';
import './social-links.css';

export function SocialLinks({ social }: Pick<Company, 'social'>) {
  if (social.length === 0) return null;
  return (
    <ul className="social-links">
      {social.map(({ text, href }) => (
        <li key={href}>
          <a href={href} rel="noopener">
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedArticles } from './generated-articles.ts';

const files = {
  'config.toml': `baseURL = "http://localhost:3000/"
languageCode = "ru"
title = "Статьи"
paginate = 20
disableKinds = ["taxonomy", "term"]
`,
  'layouts/_default/baseof.html': `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<title>{{ .Title }}</title>
<meta name="description" content="{{ .Description }}">
<link rel="canonical" href="{{ .Permalink }}">
</head>
<body>
<header><nav><a href="/">Главная</a> <a href="/articles/">Статьи</a></nav></header>
<main>{{ block "main" . }}{{ end }}</main>
<footer>Статьи</footer>
</body>
</html>
`,
  'layouts/_default/single.html': `{{ define "main" }}<article>
<h1>{{ .Title }}</h1>
<p><time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "02.01.2006" }}</time></p>
<p>{{ .Description }}</p>
{{ .Content }}
{{ with .Site.GetPage (printf "/articles/%s" .Params.related) }}<p>Ещё: <a href="{{ .RelPermalink }}">{{ .Title }}</a></p>{{ end }}
</article>{{ end }}
`,
  'layouts/_default/list.html': `{{ define "main" }}<h1>{{ .Title }}</h1>
<ul>{{ range (.Paginate .RegularPagesRecursive).Pages }}
<li><a href="{{ .RelPermalink }}">{{ .Title }}</a> <time>{{ .Date.Format "2006-01-02" }}</time><p>{{ .Description }}</p></li>{{ end }}
</ul>
{{ template "_internal/pagination.html" . }}{{ end }}
`,
  'layouts/index.html': `{{ define "main" }}<ul>{{ range first 20 (where .Site.RegularPages "Section" "articles") }}
<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}
</ul>{{ end }}
`,
};

/** A site of so many generated articles for Hugo: an article each, lists of twenty, a feed and a sitemap. */
export function hugoSite(folder: string, count: number): void {
  for (const name of ['layouts/_default', 'content/articles']) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const { slug, title, description, date, related, text } of generatedArticles(
    count,
    (one) => `/articles/${one}/`,
  )) {
    const front = Object.entries({ title, description, date, related }).map(([key, value]) => `${key}: "${value}"\n`);
    writeFileSync(join(folder, 'content/articles', `${slug}.md`), `---\n${front.join('')}---\n\n${text}`);
  }
}

/** Makes the whole site anew. @returns seconds */
export function buildHugo(folder: string): number {
  for (const made of ['public', 'resources']) rmSync(join(folder, made), { recursive: true, force: true });
  const begun = performance.now();
  execFileSync('hugo', ['--quiet'], { cwd: folder, stdio: ['ignore', 2, 2] });
  return (performance.now() - begun) / 1000;
}

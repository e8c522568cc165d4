import * as z from 'zod';

/** Where editors' changes go when they write them in the browser. */
export type Repository = {
  kind: 'github' | 'gitlab' | 'gitea';
  /** `owner/name`, at GitLab with groups before it. */
  name: string;
  /** Without one, the repository's own first branch. */
  branch: string | undefined;
  /** The content within the repository. */
  folder: string;
  /** Of a server of one's own. */
  host: string | undefined;
};

/** Who keeps repositories of each kind, unless another host is named. */
const hosts = { github: 'https://github.com', gitlab: 'https://gitlab.com', gitea: 'https://gitea.com' } as const;

const form =
  /^(?<kind>github|gitlab|gitea):(?:(?<host>https:\/\/[\w.-]+(?::\d+)?)\/)?(?<name>[\w.-]+(?:\/[\w.-]+)+)(?:@(?<branch>[\w./-]+))?(?::(?<folder>[\w.-]+(?:\/[\w.-]+)*))?$/;

/** `github:owner/name@branch:folder`, of which branch and folder may be left out. */
export const repository = z.string().transform((text, { addIssue }): Repository => {
  const { kind, name = '', branch, folder = 'src/content', host } = form.exec(text)?.groups ?? {};
  if (kind === undefined) {
    addIssue(
      'a repository such as github:owner/name@main or gitlab:https://git.example.ru/group/name@main:content, ' +
        'of GitHub, GitLab or Gitea',
    );
    return z.NEVER;
  }
  return { kind: kind as Repository['kind'], name, branch, folder, host };
});

/** Where programs ask it: the only addresses of others that the editor may call. */
export function apiOf({ kind, host }: Repository): { rest: string; graphql: string | undefined; others: string[] } {
  const base = host ?? hosts[kind];
  if (kind === 'gitea') return { rest: `${base}/api/v1`, graphql: undefined, others: [] };
  if (kind === 'gitlab') {
    const others = host ? [] : ['https://status-api.hostedstatus.com'];
    return { rest: `${base}/api/v4`, graphql: `${base}/api/graphql`, others };
  }
  if (host) return { rest: `${base}/api/v3`, graphql: `${base}/api/graphql`, others: [] };
  const api = 'https://api.github.com';
  return { rest: api, graphql: `${api}/graphql`, others: ['https://www.githubstatus.com'] };
}

/** Where the pictures of those who sign in come from. */
export function picturesOf({ kind, host }: Repository): string[] {
  if (host) return [host];
  return kind === 'github' ? ['https://avatars.githubusercontent.com'] : [hosts[kind], 'https://secure.gravatar.com'];
}

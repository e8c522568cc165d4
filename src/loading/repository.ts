import * as z from 'zod';

export type Repository = {
  kind: 'github' | 'gitlab' | 'gitea';
  /** `owner/name`; on GitLab, `owner` may include subgroups. */
  name: string;
  /** Defaults to the repository's default branch. */
  branch: string | undefined;
  folder: string;
  /** Set for self-hosted servers. */
  host: string | undefined;
};

const form =
  /^(?<kind>github|gitlab|gitea):(?:(?<host>https:\/\/[\p{L}\d.-]+(?::\d+)?)\/)?(?<name>[\w.-]+(?:\/[\w.-]+)+)(?:@(?<branch>[\w./-]+))?(?::(?<folder>[\w.-]+(?:\/[\w.-]+)*))?$/u;

/** Branch and folder are optional in `github:owner/name@branch:folder`. */
export const repository = z.string().transform((text, { addIssue }): Repository => {
  const { kind, name = '', branch, folder = 'src/content', host } = form.exec(text)?.groups ?? {};
  if (kind === undefined) {
    addIssue(
      'a repository such as github:owner/name@main or gitlab:https://git.example.ru/group/name@main:content, ' +
        'of GitHub, GitLab or Gitea',
    );
    return z.NEVER;
  }
  return { kind: kind as Repository['kind'], name, branch, folder, host: host && new URL(host).origin };
});

/** URLs the editor needs: API, status page and user avatars. */
type RepositoryApi = { rest: string; graphql?: string; state?: string; pictures: readonly string[] };

const services: Readonly<Record<Repository['kind'], RepositoryApi>> = {
  github: {
    rest: 'https://api.github.com',
    graphql: 'https://api.github.com/graphql',
    state: 'https://www.githubstatus.com',
    pictures: ['https://avatars.githubusercontent.com'],
  },
  gitlab: {
    rest: 'https://gitlab.com/api/v4',
    graphql: 'https://gitlab.com/api/graphql',
    state: 'https://status-api.hostedstatus.com',
    pictures: ['https://gitlab.com', 'https://secure.gravatar.com'],
  },
  gitea: { rest: 'https://gitea.com/api/v1', pictures: ['https://gitea.com', 'https://secure.gravatar.com'] },
};

const restPaths = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1' } as const;

export function apiOf({ kind, host }: Repository): RepositoryApi {
  if (host === undefined) return services[kind];
  const graphql = kind === 'gitea' ? {} : { graphql: `${host}/api/graphql` };
  return { rest: host + restPaths[kind], ...graphql, pictures: [host] };
}

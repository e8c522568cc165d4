import { dirname } from 'node:path';
import type { Content } from '../model/content.ts';
import { slugPattern } from '../model/schemas/shared-fields.ts';
import { type Kind, type KindName, kindNames, kinds } from './kinds.ts';
import { type NextIds, namesIn } from './names.ts';
import { apiOf, type Repository } from './repository.ts';
import { type JsonSchema, labelOf, partAt, schemaOf } from './schema-parts.ts';

/*
 * Sveltia CMS has no form for some fields (nested lists, weekly hours); saving keeps them in the file.
 * https://sveltiacms.app/en/docs/config-basics
 */

type Field = Readonly<Record<string, unknown>>;
type Names = ReturnType<typeof namesIn>;
/** What new files refer to, and their numbers. */
type Known = { names: Names; ids: NextIds };

type Options = {
  repository: Repository;
  content: Content;
  ids: NextIds;
  /** Absolute, without a trailing slash. */
  siteUrl: string;
};

/** Pictures in `public/`: their folder in the repository, and the path that editors write. */
const drawings = { media_folder: '/public/images', public_folder: '/images' };
/** Pictures in the same folder as the text. */
const beside = { media_folder: '', public_folder: '' };

const asTable = 'Файл удобнее скачать, поправить в Excel и загрузить обратно';

export function editorConfig({ repository, content, ids, siteUrl }: Options): object {
  const { kind, name, branch, folder } = repository;
  const { rest, graphql } = apiOf(repository);
  const names = namesIn(content);
  const collections = kindNames.flatMap((one) => collectionsOf(one, content, { names, ids }));
  const entries = Object.entries<Kind>(kinds);
  return {
    backend: {
      name: kind,
      repo: name,
      ...(branch && { branch }),
      api_root: rest,
      ...(graphql && { graphql_api_root: graphql }),
      // Any other sign-in goes through a third-party server.
      auth_methods: ['token'],
    },
    site_url: siteUrl,
    app_title: content.company.name,
    logo: { src: '/favicon.svg' },
    media_folder: drawings.media_folder.slice(1),
    public_folder: drawings.public_folder,
    // The content security policy blocks stock photo services.
    media_libraries: { stock_assets: { providers: [] } },
    slug: { encoding: 'ascii', clean_accents: true, maxlength: 60 },
    output: { omit_empty_optional_fields: true, yaml: { quote: 'none' } },
    collections: collections.map((one) => ({ ...one, folder: `${folder}/${one.folder}` })),
    singletons: entries
      .filter(([, { files, asFile }]) => !files.includes('*') && !asFile)
      .map(([name, kind]) => ({
        name,
        label: kind.title,
        file: `${folder}/${kind.files}`,
        ...(kind.asText
          ? { format: 'raw', fields: [{ name: 'body', label: kind.title, widget: 'text', hint: asTable }] }
          : { format: 'yaml', fields: formOf(kind, names) }),
      })),
  };
}

/** Articles have a folder for each category. */
function collectionsOf(name: KindName, content: Content, known: Known) {
  const kind: Kind = kinds[name];
  if (!kind.files.includes('*')) return [];
  const common = collectionOf(name, known);
  const at = (folder: string, place = '') => ({
    folder,
    preview_path: kind.address?.replace('*/*', `${place}/*`).replace('*', '{{slug}}'),
  });
  if (name !== 'article') return [{ ...common, ...at(dirname(kind.files)), name, label: kind.title }];
  return content.categories.blog.map(({ slug, text }) => {
    return { ...common, ...at(`blog/${slug}`, slug), name: `blog-${slug}`, label: `Блог: ${text}` };
  });
}

function collectionOf(name: KindName, { names, ids }: Known) {
  const kind: Kind = kinds[name];
  const { properties = {} } = schemaOf(kind);
  const heading = 'heading' in properties ? 'heading' : 'author';
  const address = 'Латиницей: строчные буквы, цифры и дефисы';
  const defaults: Readonly<Record<string, unknown>> = { id: ids.get(name), published: '{{now}}' };
  const fields = formOf(kind, names).map((field) => ({
    ...field,
    default: defaults[String(field.name)] ?? field.default,
  }));
  // A rich-text editor would reformat the Markdown.
  const body = {
    name: 'body',
    label: 'Текст',
    widget: 'richtext',
    modes: ['raw'],
    hint: 'Разметка Markdown',
    required: false,
  };
  return {
    format: 'yaml-frontmatter',
    extension: 'md',
    ...beside,
    create: kind.only === undefined,
    delete: kind.only === undefined,
    identifier_field: heading,
    slug: {
      template: `{{${heading}}}`,
      editable: ['create'],
      hint: address,
      pattern: [slugPattern.source, address],
    },
    sortable_fields: {
      fields: ['published', 'order', heading].filter((field) => field in properties),
      ...('published' in properties && { default: { field: 'published', direction: 'descending' } }),
    },
    summary: `{{${heading}}}`,
    fields: [...fields, body],
  };
}

function formOf(kind: Kind, names: Names): Field[] {
  const schema = schemaOf(kind);
  if (schema.type !== 'array') return fieldsOf(schema, names);
  const list = fieldOf('list', schema, true, names);
  return list ? [{ ...list, label: kind.title, root: true }] : [];
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, names: Names): Field[] {
  return Object.entries(properties)
    .map(([key, one]) => fieldOf(key, one, required.includes(key), names))
    .filter((field) => field !== undefined);
}

function fieldOf(name: string, one: JsonSchema, required: boolean, names: Names): Field | undefined {
  const widget = widgetOf(one, names);
  const { name: label, hint } = labelOf(one);
  return widget && { name, label: label || name, hint, required, default: one.default, ...widget };
}

function widgetOf(one: JsonSchema, names: Names): Field | undefined {
  const options = optionsOf(one, names);
  if (options) return { widget: 'select', options };
  const { type, minimum, exclusiveMinimum, maximum: max } = one;
  switch (type) {
    case 'boolean':
      return { widget: 'boolean' };
    case 'integer':
    case 'number': {
      const min = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
      return { widget: 'number', value_type: type === 'integer' ? 'int' : 'float', min, max };
    }
    case 'object':
      return one.properties && { widget: 'object', fields: fieldsOf(one, names) };
    case 'array':
      return listOf(one, names);
    case 'string':
      return textOf(one);
    default:
      return undefined;
  }
}

function listOf(one: JsonSchema, names: Names): Field | undefined {
  const bounds = { min: one.minItems, max: one.maxItems };
  const item = partAt(one, [0]) ?? {};
  const options = optionsOf(item, names);
  if (options) return { widget: 'select', multiple: true, options, ...bounds };
  if (!item.properties) return item.type === 'string' ? { widget: 'list', ...bounds } : undefined;
  const fields = fieldsOf(item, names);
  // Ids and slugs have a pattern.
  const title = fields.find(({ widget, pattern }) => widget === 'string' && !pattern) ?? fields[0];
  return { widget: 'list', fields, collapsed: 'auto', summary: `{{fields.${title?.name}}}`, ...bounds };
}

function optionsOf({ enum: values, 'x-mark': mark }: JsonSchema, names: Names): readonly string[] | undefined {
  return values ?? (mark && 'refersTo' in mark && mark.refersTo !== 'article' ? names[mark.refersTo] : undefined);
}

function textOf({ description = '', format, minLength, maxLength, pattern, 'x-mark': mark }: JsonSchema): Field {
  if (format === 'date') return { widget: 'datetime', type: 'date', format: 'YYYY-MM-DD' };
  if (mark && 'shows' in mark && mark.shows !== 'video')
    return { widget: 'image', ...(mark.shows === 'file' ? beside : drawings) };
  return {
    widget: mark && ('long' in mark || 'markdown' in mark) ? 'text' : 'string',
    minlength: minLength,
    maxlength: maxLength,
    ...(pattern && { pattern: [pattern, labelOf({ description }).hint || description] }),
  };
}

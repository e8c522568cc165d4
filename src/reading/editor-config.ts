import type { Content } from '../model/content.ts';
import { itemOf, type JsonSchema, jsonSchemaOf, saidOf } from './json-schema.ts';
import { type KindName, kinds } from './kinds.ts';
import { namesIn, nextIds } from './names.ts';
import { apiOf, type Repository } from './repository.ts';

/*
 * What Sveltia CMS has to know, made of the schemas. Where a form for a field is beyond it (a list of lists, a week of
 * hours), the field is left out; saving keeps whatever a file has besides the form.
 *
 * https://sveltiacms.app/en/docs/config-basics
 */

/** One of Sveltia's own fields; what a field of each kind may be told is in its documentation. */
type Field = Readonly<Record<string, unknown>>;

type Options = {
  repository: Repository;
  content: Content;
  /** Absolute address of the site, without a trailing slash. */
  siteUrl: string;
};

/** Pictures of `public/`, as the repository has them and as editors name them. */
const drawings = { media_folder: '/public/images', public_folder: '/images' };
/** A picture beside the text that shows it. */
const beside = { media_folder: '', public_folder: '' };

/** Files of a kind where they are not what the site is about but how it is set up, and hold more than a form can. */
const noForm: readonly KindName[] = ['calculator', 'search'];

/** What `/admin/config.json` says. */
export function editorConfig({ repository, content, siteUrl }: Options): object {
  const { kind, name, branch, folder } = repository;
  const { rest, graphql } = apiOf(repository);
  const form = formsOf(content);
  const collection = (kind: KindName, folder: string, more: object) => {
    return { ...commonOf(kind), folder: `${repository.folder}/${folder}`, ...posts[kind], ...more };
  };
  const blog = content.categories.blog.map(({ slug, text }) => {
    const video = slug === 'video-news' ? ['video'] : [];
    return collection('article', `blog/${slug}`, {
      name: `blog-${slug}`,
      label: `Блог: ${text}`,
      fields: form('article', (key) => key !== 'video' || video.includes(key), video),
      preview_path: `/blog/${slug}/{{slug}}`,
    });
  });
  const folders = (['news', 'case', 'review', 'service', 'page', 'legal'] as const).map((kind) =>
    collection(kind, kinds[kind].files.replace('/*.md', ''), { fields: form(kind) }),
  );
  const singles = Object.entries(kinds).filter(([kind, { files }]) => {
    return files.endsWith('.yaml') && !noForm.includes(kind as KindName);
  });
  return {
    backend: {
      name: kind,
      repo: name,
      ...(branch && { branch }),
      api_root: rest,
      ...(graphql && { graphql_api_root: graphql }),
      // Another way would lead over a server of somebody else's.
      auth_methods: ['token'],
    },
    site_url: siteUrl,
    app_title: content.company.name,
    logo: { src: '/favicon.svg' },
    media_folder: drawings.media_folder.slice(1),
    public_folder: drawings.public_folder,
    // Its policy lets it ask nobody.
    media_libraries: { stock_assets: { providers: [] } },
    slug: { encoding: 'ascii', clean_accents: true, maxlength: 60 },
    output: { omit_empty_optional_fields: true, yaml: { quote: 'none' } },
    collections: [...blog, ...folders],
    singletons: singles.map(([kind, { title, files }]) => ({
      name: kind,
      label: title,
      file: `${folder}/${files}`,
      format: 'yaml',
      fields: form(kind as KindName),
    })),
  };
}

function commonOf(kind: KindName): Field {
  const address = 'Латиницей: строчные буквы, цифры и дефисы';
  return {
    name: kind,
    label: kinds[kind].title,
    format: 'yaml-frontmatter',
    extension: 'md',
    ...beside,
    identifier_field: 'heading',
    slug: {
      template: '{{heading}}',
      editable: ['create'],
      hint: address,
      pattern: ['^[a-z0-9]+(-[a-z0-9]+)*$', address],
    },
    sortable_fields: { fields: ['published', 'heading'], default: { field: 'published', direction: 'descending' } },
    summary: '{{heading}}',
  };
}

/** In what a kind differs from the others, and where visitors find it. */
const posts: Partial<Record<KindName, Field>> = {
  news: { preview_path: '/about/novosti/{{slug}}' },
  case: { preview_path: '/cases/{{slug}}' },
  review: {
    identifier_field: 'author',
    slug: { template: '{{author}}', editable: ['create'] },
    summary: '{{author}}, {{role}}',
    sortable_fields: ['published', 'author'],
  },
  service: { preview_path: '/services/{{slug}}', sortable_fields: ['order', 'heading'] },
  page: { delete: false, sortable_fields: ['heading'] },
  legal: { create: false, delete: false, sortable_fields: ['heading'] },
};

type FormOf = (kind: KindName, shown?: (key: string) => boolean, required?: readonly string[]) => Field[];

function formsOf(content: Content): FormOf {
  const names = namesIn(content);
  const ids: Partial<Record<KindName, number>> = nextIds(content);

  return (kind, shown = () => true, needed = []) => {
    const schema = jsonSchemaOf(kinds[kind]);
    if (schema.type === 'array') {
      const list = fieldOf('list', schema, true);
      return list ? [{ ...list, label: kinds[kind].title, root: true }] : [];
    }
    const fields = fieldsOf({ ...schema, required: [...(schema.required ?? []), ...needed] });
    const own: Record<string, Field> = {
      ...(ids[kind] && { id: { default: ids[kind] } }),
      published: { default: '{{now}}' },
    };
    const form = fields.flatMap((field) => {
      const name = String(field.name);
      return shown(name) ? [{ ...field, ...own[name] }] : [];
    });
    // As it is written: an editor that knows what it means would write it anew.
    const body = {
      name: 'body',
      label: 'Текст',
      widget: 'richtext',
      modes: ['raw'],
      hint: 'Разметка Markdown',
      required: false,
    };
    return kinds[kind].files.endsWith('.md') ? [...form, body] : form;
  };

  function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
    return Object.entries(properties).flatMap(([key, schema]): Field[] => {
      const field = fieldOf(key, schema, required.includes(key));
      return field ? [field] : [];
    });
  }

  /** The field of a form, unless there is none for such a value. */
  function fieldOf(name: string, schema: JsonSchema, required: boolean): Field | undefined {
    const said = saidOf(schema);
    const widget = widgetOf(schema);
    if (widget === undefined) return undefined;
    return { name, label: said.name || name, ...(said.hint && { hint: said.hint }), required, ...widget };
  }

  function widgetOf(schema: JsonSchema): Field | undefined {
    const options = optionsOf(schema);
    const byDefault = schema.default === undefined ? {} : { default: schema.default };
    if (options) return { widget: 'select', options, ...byDefault };
    switch (schema.type) {
      case 'boolean':
        return { widget: 'boolean', ...byDefault };
      case 'integer':
      case 'number':
        return { widget: 'number', ...numberOf(schema), ...byDefault };
      case 'object':
        return schema.properties && { widget: 'object', fields: picturedIn(schema, fieldsOf(schema)) };
      case 'array':
        return listOf(schema, { min: schema.minItems, max: schema.maxItems });
      case 'string':
        return textOf(schema);
      default:
        return undefined;
    }
  }

  /** What stands in a list decides whether it is chosen, typed line by line, or has a form for each of its items. */
  function listOf(schema: JsonSchema, bounds: Field): Field | undefined {
    const item = itemOf(schema);
    if (item === undefined) return undefined;
    const options = optionsOf(item);
    if (options) return { widget: 'select', multiple: true, options, ...bounds };
    if (item.properties) {
      const fields = fieldsOf(item);
      const [first] = fields;
      return { widget: 'list', fields, collapsed: 'auto', summary: `{{fields.${first?.name}}}`, ...bounds };
    }
    return item.type === 'string' ? { widget: 'list', ...bounds } : undefined;
  }

  /** What may be chosen; articles are too many for that, and may name one that is not out yet. */
  function optionsOf({ enum: values, 'x-mark': mark }: JsonSchema): readonly string[] | undefined {
    if (values) return values;
    return mark && 'refersTo' in mark && mark.refersTo !== 'article' ? names[mark.refersTo] : undefined;
  }
}

function numberOf({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): Field {
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  return { value_type: type === 'integer' ? 'int' : 'float', min, max: maximum };
}

/** A picture and its words are an object, in which the picture lies beside the text. */
function picturedIn({ 'x-mark': mark }: JsonSchema, fields: readonly Field[]): readonly Field[] {
  const shows = mark && 'shows' in mark && mark.shows === 'picture';
  return fields.map((field) => (shows && field.name === 'src' ? { ...field, widget: 'image', ...beside } : field));
}

/** What is described as sentences gets room for them. */
function textOf({ description = '', format, minLength = 0, maxLength, pattern, 'x-mark': mark }: JsonSchema): Field {
  if (format === 'date') return { widget: 'datetime', type: 'date', format: 'YYYY-MM-DD' };
  if (mark && 'shows' in mark) return { widget: 'image', ...drawings };
  const { hint } = saidOf({ description });
  return {
    widget: /предложени|фраз/.test(hint) ? 'text' : 'string',
    ...(minLength > 1 && { minlength: minLength }),
    ...(maxLength && { maxlength: maxLength }),
    ...(pattern && { pattern: [pattern, hint || description] }),
  };
}

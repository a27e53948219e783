import type { Context } from '../../context.ts'
import { targetPolicy } from '../../net/target.ts'
import { syncSitemap } from '../crawl/crawl.ts'
import type { Job } from '../documents/job-queue.ts'
import type { ParserPool } from '../parsers/pool.ts'
import { Robots } from '../crawl/robots.ts'
import type { JobDocument } from '../documents/store.ts'
import { syncPage } from '../crawl/page.ts'
import { Fetcher } from '../crawl/fetcher.ts'

/** Runs the sync jobs of pages and sitemaps. Imported with the first job: most processes sync nothing. */
export interface WebJobs {
  run(job: Job, row: JobDocument): Promise<void>
  close(): Promise<void>
}

export function openWebJobs(
  ctx: Context,
  options: { version: string; parser: ParserPool; signal: AbortSignal },
): WebJobs {
  const { parser, signal, version } = options
  const fetcher = new Fetcher({
    policy: targetPolicy(ctx.config),
    version,
    onBlocked: (url, detail) =>
      ctx.log.warn(
        { host: URL.parse(url)?.host, detail, event: 'knowledge.fetch_blocked' },
        'fetch of a page was blocked',
      ),
  })
  return {
    async run(job, row) {
      const deps = { fetcher, robots: new Robots(fetcher, signal), parser, signal }
      const sync = row.kind === 'sitemap' ? syncSitemap : syncPage
      await sync(ctx, job, row, deps)
    },
    close: () => fetcher.close(),
  }
}

import type { Context } from '../../context.ts'
import { targetPolicy } from '../../net/target.ts'
import { syncSitemap } from '../crawl/crawl.ts'
import type { Job } from '../documents/job-queue.ts'
import type { ParserPool } from '../parsers/pool.ts'
import { Robots } from '../crawl/robots.ts'
import type { JobDocument } from '../documents/store.ts'
import { syncPage } from '../crawl/page.ts'
import { Fetcher } from '../crawl/fetcher.ts'

/** Reads pages and sitemaps, each as a job. Loaded with the first: most processes fetch nothing. */
export interface WebJobs {
  run(job: Job, row: JobDocument): Promise<void>
  close(): Promise<void>
}

export function openWebJobs(
  ctx: Context,
  around: { version: string; reader: ParserPool; signal: AbortSignal },
): WebJobs {
  const { reader, signal, version } = around
  const web = new Fetcher({
    policy: targetPolicy(ctx.config),
    version,
    onRefused: (url, detail) =>
      ctx.log.warn({ host: URL.parse(url)?.host, detail }, 'a page to be read was refused'),
  })
  return {
    async run(job, row) {
      const tools = { web, robots: new Robots(web, signal), reader, signal }
      const sync = row.kind === 'sitemap' ? syncSitemap : syncPage
      await sync(ctx, job, row, tools)
    },
    close: () => web.close(),
  }
}

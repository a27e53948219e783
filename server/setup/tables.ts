/** The link that a start printed. Of its token the table holds the digest alone. */
interface SetupLinksTable {
  digest: string
  created_at: number
  expires_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    setup_links: SetupLinksTable
  }
}

export type { SetupLinksTable }

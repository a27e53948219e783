import type { Config } from '../config.ts'
import { rejectAfter } from '../lib/timeout.ts'
import { examineDatabase } from './database.ts'
import { examineDataDirectory, examineDisk } from './data-directory.ts'
import { defect, diagnose, reasonOf } from './findings.ts'
import { examineEmbeddings, examineModel } from './models.ts'
import { FINDING_NAMES, type Diagnosis, type Finding } from './schema.ts'
import { examineMail, examinePublicUrl, examineRedis } from './services.ts'
import { examineSecrets, examineSettings, examineTargets, examineVersions } from './settings.ts'

/** Longer than the timeout of any examination. */
const TIMEOUT_MS = 20_000

type Examination = (config: Config) => Finding[] | Promise<Finding[]>

const EXAMINATIONS: Readonly<Partial<Record<Finding['name'], Examination>>> = {
  settings: examineSettings,
  secrets: examineSecrets,
  versions: examineVersions,
  database: examineDatabase,
  redis: examineRedis,
  data_dir: examineDataDirectory,
  disk: examineDisk,
  mail: examineMail,
  model: examineModel,
  embeddings: examineEmbeddings,
  public_url: examinePublicUrl,
  webhook_targets: examineTargets,
}

/**
 * Examines an installation from where this process runs: it connects to everything that the settings
 * name, and changes nothing. Also beside a running product. The model is asked for one short answer.
 */
export async function examine(config: Config): Promise<Diagnosis> {
  const found = await Promise.all(
    FINDING_NAMES.map(async (name) => {
      const examination = EXAMINATIONS[name]
      if (!examination) return []
      try {
        const late = () => new Error('It took too long.')
        return await rejectAfter(TIMEOUT_MS, Promise.resolve(examination(config)), late)
      } catch (error) {
        return [defect(name, `It could not be examined: ${reasonOf(error)}.`, 'Try again.')]
      }
    }),
  )
  return diagnose(found.flat())
}

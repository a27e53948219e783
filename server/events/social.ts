import { z } from 'zod'
import { publicEvent, SAMPLE_TIME } from './descriptor.ts'

/** The account that an event belongs to. */
const Account = { platform: z.string(), account_id: z.string() }
/** A text from a social network, with its author. */
const Written = { author: z.string(), text: z.string() }
const ACCOUNT = { platform: 'instagram', account_id: '17841400000000000' }
const TEXT = { author: 'ayse.yilmaz', text: 'Merhaba, fiyat alabilir miyim?' }
const POST_ID = '17900000000000001'

/** Events of accounts on social networks. */
export const socialEvents = {
  'social.post.published': publicEvent(
    {
      data: z.object({
        ...Account,
        post_id: z.string(),
        url: z.string().nullable(),
        published_at: z.string(),
      }),
      sample: {
        ...ACCOUNT,
        post_id: POST_ID,
        url: 'https://www.instagram.com/p/example/',
        published_at: SAMPLE_TIME,
      },
    },
    { publicName: 'social.post.published' },
  ),
  'social.comment.received': publicEvent(
    {
      data: z.object({ ...Account, post_id: z.string(), comment_id: z.string(), ...Written }),
      sample: { ...ACCOUNT, post_id: POST_ID, comment_id: '17900000000000002', ...TEXT },
    },
    { publicName: 'social.comment.received' },
  ),
  'social.dm.received': publicEvent(
    {
      data: z.object({ ...Account, message_id: z.string(), ...Written }),
      sample: { ...ACCOUNT, message_id: 'mid.17900000000000003', ...TEXT },
    },
    { publicName: 'social.dm.received' },
  ),
}

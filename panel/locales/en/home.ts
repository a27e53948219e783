export const words = {
  title: 'Home',
  greeting: (name: string) => (name === '' ? 'Welcome back.' : `Welcome back, ${name}.`),
  checklist: 'Get your assistant going',
  done: 'done',
  steps: {
    site: 'Add your site',
    knowledge: 'Give the assistant something to read',
    asked: 'Ask it a question',
    installed: 'Put the tag on your website',
    team: 'Invite a colleague',
  },
  waiting: 'Waiting visitors',
  leadsToday: 'Leads today',
  appointmentsToday: 'Appointments today',
  answered: 'Answered in 7 days',
  unanswered: 'Unanswered questions',
  nothingUnanswered: 'None so far. Questions that the assistant could not answer appear here.',
  times: (_count: number, shown: string) => `${shown}×`,
  seeAll: 'See all',
  credits: 'Credits left',
  creditsOf: (all: string, date: string) => `of ${all}, renewed on ${date}.`,
  daysLeft: (count: number, shown: string) =>
    count === 1 ? 'At this pace they last one more day.' : `At this pace they last ${shown} days.`,
}
export type Words = typeof words

/** Its own types describe a module of another kind than it is. */
declare module 'robots-parser' {
  interface Robots {
    isDisallowed(url: string, robot: string): boolean | undefined
    getCrawlDelay(robot: string): number | undefined
  }
  const parse: (url: string, text: string) => Robots
  export default parse
}

import { embed } from './loader.ts'

const script = document.currentScript
if (script && 'src' in script) embed(script)

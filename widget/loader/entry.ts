import { embed } from './loader.ts'

embed(document.currentScript)

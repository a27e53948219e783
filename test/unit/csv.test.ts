import { expect, test } from 'vitest'
import { csvLine } from '../../server/lib/csv.ts'

test('a text that looks like a formula stays a text, a number stays a number', () => {
  const line = csvLine(['=1+1', '+90', '-2', '@SUM(A1)', '\t=1', ' =1', '＝1', -1.5, 'a=1', null])
  expect(line).toBe(`'=1+1,'+90,'-2,'@SUM(A1),'\t=1,' =1,'＝1,-1.5,a=1,\r\n`)
})

test('a phone number in E.164 is no formula, and can be read as a text', () => {
  expect(csvLine(['+905321234567', '+1-2', '+90532+1'])).toBe(`"+905321234567",'+1-2,'+90532+1\r\n`)
})

test('separators, quotes and line ends stay inside their cell', () => {
  expect(csvLine(['a,b', 'a;b', 'say "no"', 'two\r\nlines', ' edge ', '', undefined])).toBe(
    '"a,b","a;b","say ""no""","two\r\nlines"," edge ",,\r\n',
  )
})

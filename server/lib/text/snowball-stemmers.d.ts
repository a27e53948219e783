declare module 'snowball-stemmers' {
  interface SnowballStemmer {
    stem(word: string): string
  }
  const snowball: { newStemmer(algorithm: 'turkish' | 'english'): SnowballStemmer }
  export default snowball
}

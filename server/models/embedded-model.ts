import { type Model, ModelFailure } from './model.ts'

/** The model that needs no key and no network. */
export const embeddedModel: Model = {
  name: 'embedded',

  // oxlint-disable-next-line require-yield
  async *generate() {
    throw new ModelFailure('unable', CANNOT_WRITE)
  },

  draw() {
    return Promise.reject(new ModelFailure('unable', CANNOT_DRAW))
  },
}

const CANNOT_WRITE =
  'The embedded model writes no free text. Set MODEL_PROVIDER, or a model of the workspace.'
const CANNOT_DRAW =
  'The embedded model draws nothing. Set MODEL_PROVIDER with IMAGE_MODEL_NAME, or an image_model of the workspace.'

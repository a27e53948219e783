import type { ActionStrings } from './en.ts'

/** Arabic sentences of actions. */
export const ar: ActionStrings = {
  ask: (label) => `من فضلك اكتب: ${label}.`,
  askAgain: (label) => `لا تبدو هذه قيمة صحيحة (${label}).`,
  confirm: (name) => `هل أتابع؟ ${name}`,
  confirmEnd: 'من فضلك أجب بـ «نعم» أو «لا».',
  yes: 'نعم',
  no: 'لا',
  cancel: 'إلغاء',
  cancelled: 'حسنًا، لم أنفّذ أي شيء.',
  notFound: 'لم أجد شيئًا بهذه البيانات. يُرجى التحقق منها.',
  failed: 'تعذّر الحصول على ذلك من نظامنا الآن. لم يتغيّر شيء.',
  unknown: 'لا أعلم هل تم تنفيذ ذلك أم لا، ولم أحاول مرة أخرى.',
  refused: 'لم يقبل نظامنا هذا الطلب. لم يتغيّر شيء.',
  verify: 'أحتاج إلى معرفة هويتك أولًا. يُرجى تسجيل الدخول في الموقع ثم السؤال مجددًا.',
  busy: 'وصلت طلبات كثيرة في وقت قصير. يُرجى المحاولة بعد دقيقة.',
}

import type { Strings } from './strings.ts'

export const strings: Strings = {
  tag: 'ar',
  dir: 'rtl',
  title: 'محادثة',
  subtitle: 'المساعد الرقمي',
  close: 'إغلاق المحادثة',
  menu: 'خيارات أخرى',
  greeting: 'مرحبًا! كيف يمكننا مساعدتك؟',
  conversation: 'المحادثة',
  suggestions: 'أسئلة مقترحة',
  you: 'أنت',
  write: 'رسالتك',
  placeholder: 'اكتب رسالة…',
  send: 'إرسال',
  tooLong: (excess) => `أطول من المسموح بـ ${excess} حرفًا`,
  typing: 'تُكتب الإجابة الآن',
  sources: 'المصادر',
  newTab: 'يُفتح في علامة تبويب جديدة',
  newMessages: 'رسائل جديدة',
  unread: (count) =>
    count === 1 ? 'رسالة جديدة' : count === 2 ? 'رسالتان جديدتان' : `${count} رسائل جديدة`,
  retry: 'إعادة المحاولة',
  offline: 'لم تُرسل. تحقق من اتصالك بالإنترنت.',
  failed: 'حدث خطأ ولم تصل الإجابة.',
}

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** A minimal model of WordPress's handling of an enqueued script. */
const WORDPRESS = `
$actions = []; $filters = []; $queue = [];
function add_action($name, $do) { global $actions; $actions[$name] = $do; }
function add_filter($name, $do) { global $filters; $filters[$name] = $do; }
function wp_enqueue_script($handle, $src) { global $queue; $queue[$handle] = $src; }
`
const PRINT = `
$actions['wp_enqueue_scripts']();
wp_enqueue_script('other', 'https://other.example/a.js');
foreach ($queue as $handle => $src)
  echo $filters['script_loader_tag']("<script src=\\"$src\\" id=\\"$handle-js\\"></script>\\n", $handle);
`

test('the lines for WordPress put the tag into the page, and change no other', async () => {
  const page = await readFile('docs/embed.md', 'utf8')
  const [, code = ''] = /```php\n([^]*?)```/.exec(page) ?? []
  const program = process.env['TEST_PHP'] ?? 'php'
  const { stdout } = await run(program, ['-r', WORDPRESS + code + PRINT])
  expect(stdout.split('\n')).toEqual([
    '<script async data-tenant="my-site" src="https://chat.example/widget.js" id="sohbet-js"></script>',
    '<script src="https://other.example/a.js" id="other-js"></script>',
    '',
  ])
})

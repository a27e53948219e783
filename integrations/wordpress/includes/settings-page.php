<?php
/**
 * The page Settings › Sohbet.
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

/**
 * Adds the page to the menu.
 */
function sohbet_add_settings_page() {
	$hook = add_options_page( 'Sohbet', 'Sohbet', 'manage_options', 'sohbet', 'sohbet_render_settings_page' );
	add_action( 'load-' . $hook, 'sohbet_receive_settings' );
}

/**
 * Adds a link beside "Deactivate".
 *
 * @param string[] $links The links of the plugin's row.
 * @return string[]
 */
function sohbet_add_settings_link( $links ) {
	$link = sprintf( '<a href="%s">%s</a>', esc_url( sohbet_settings_url() ), esc_html__( 'Settings', 'sohbet' ) );
	return array_merge( array( $link ), $links );
}

/**
 * Returns the address of the page.
 *
 * @return string
 */
function sohbet_settings_url() {
	return admin_url( 'options-general.php?page=sohbet' );
}

/**
 * Prints the page.
 */
function sohbet_render_settings_page() {
	global $sohbet_form;
	list( $settings, $problems ) = $sohbet_form;
	?>
	<div class="wrap">
		<h1>Sohbet</h1>
		<?php sohbet_render_notices( $settings, $problems ); ?>
		<form method="post" action="<?php echo esc_url( sohbet_settings_url() ); ?>">
			<?php wp_nonce_field( SOHBET_NONCE ); ?>
			<table class="form-table" role="presentation">
				<?php
				sohbet_render_text( 'tenant', __( 'Site id', 'sohbet' ), $settings, __( 'In the panel under Sites, such as my-site.', 'sohbet' ) );
				sohbet_render_text( 'address', __( 'Address', 'sohbet' ), $settings, __( 'The host that runs Sohbet, such as https://chat.example.', 'sohbet' ) );
				sohbet_render_choice(
					'theme',
					__( 'Appearance', 'sohbet' ),
					$settings,
					array(
						'auto'  => __( 'As the page', 'sohbet' ),
						'light' => __( 'Light', 'sohbet' ),
						'dark'  => __( 'Dark', 'sohbet' ),
					)
				);
				sohbet_render_choice(
					'position',
					__( 'Position', 'sohbet' ),
					$settings,
					array(
						'right' => __( 'Bottom right', 'sohbet' ),
						'left'  => __( 'Bottom left', 'sohbet' ),
					)
				);
				sohbet_render_choice(
					'locale',
					__( 'Language', 'sohbet' ),
					$settings,
					array(
						'site' => __( 'As set in the panel', 'sohbet' ),
						'page' => __( 'The language of the page', 'sohbet' ),
					)
				);
				sohbet_render_choice(
					'pages',
					__( 'Pages', 'sohbet' ),
					$settings,
					array(
						'all'    => __( 'All', 'sohbet' ),
						'only'   => __( 'Only those below', 'sohbet' ),
						'except' => __( 'All except those below', 'sohbet' ),
					)
				);
				sohbet_render_paths( $settings );
				sohbet_render_consent( $settings );
				sohbet_render_identity( $settings );
				?>
			</table>
			<?php submit_button(); ?>
		</form>
	</div>
	<?php
}

/**
 * Prints what was wrong, or whether the stored settings lead to a site.
 *
 * @param array $settings The settings.
 * @param array $problems Sentences by field.
 */
function sohbet_render_notices( $settings, $problems ) {
	foreach ( $problems as $problem ) {
		sohbet_render_notice( 'error', $problem );
	}
	if ( array() !== $problems || ! sohbet_is_set_up() ) {
		return;
	}
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only changes what is said.
	if ( isset( $_GET['sohbet_saved'] ) ) {
		sohbet_render_notice( 'success', __( 'Settings saved.', 'sohbet' ) );
	}
	list( $is_connected, $sentence ) = sohbet_check_connection( $settings );
	sohbet_render_notice( $is_connected ? 'info' : 'warning', $sentence );
	if ( '' !== $settings['consent'] && ! function_exists( 'wp_has_consent' ) ) {
		sohbet_render_notice( 'warning', __( 'The chat waits for consent, but the plugin WP Consent API is not active: nobody sees the chat.', 'sohbet' ) );
	}
	if ( '1' === $settings['identity'] && '' === get_option( SOHBET_SECRET, '' ) ) {
		sohbet_render_notice( 'warning', __( 'Signed-in visitors are not presented yet: the identity secret is missing.', 'sohbet' ) );
	}
}

/**
 * Prints one notice.
 *
 * @param string $kind     `error`, `warning`, `success` or `info`.
 * @param string $sentence What it says.
 */
function sohbet_render_notice( $kind, $sentence ) {
	printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( $sentence ) );
}

/**
 * Prints a row with a line of text.
 *
 * @param string $name     The field.
 * @param string $label    Its label.
 * @param array  $settings The settings.
 * @param string $hint     What belongs there.
 */
function sohbet_render_text( $name, $label, $settings, $hint ) {
	?>
	<tr>
		<th scope="row"><label for="sohbet-<?php echo esc_attr( $name ); ?>"><?php echo esc_html( $label ); ?></label></th>
		<td>
			<input class="regular-text" type="text" required id="sohbet-<?php echo esc_attr( $name ); ?>" name="sohbet[<?php echo esc_attr( $name ); ?>]" value="<?php echo esc_attr( $settings[ $name ] ); ?>" aria-describedby="sohbet-<?php echo esc_attr( $name ); ?>-hint">
			<p class="description" id="sohbet-<?php echo esc_attr( $name ); ?>-hint"><?php echo esc_html( $hint ); ?></p>
		</td>
	</tr>
	<?php
}

/**
 * Prints a row with a list of choices.
 *
 * @param string $name     The field.
 * @param string $label    Its label.
 * @param array  $settings The settings.
 * @param array  $choices  Labels by value.
 * @param string $hint     What to know about it; '' for nothing.
 */
function sohbet_render_choice( $name, $label, $settings, $choices, $hint = '' ) {
	?>
	<tr>
		<th scope="row"><label for="sohbet-<?php echo esc_attr( $name ); ?>"><?php echo esc_html( $label ); ?></label></th>
		<td>
			<select id="sohbet-<?php echo esc_attr( $name ); ?>" name="sohbet[<?php echo esc_attr( $name ); ?>]">
				<?php foreach ( $choices as $value => $text ) : ?>
					<option value="<?php echo esc_attr( $value ); ?>" <?php selected( $settings[ $name ], $value ); ?>><?php echo esc_html( $text ); ?></option>
				<?php endforeach; ?>
			</select>
			<?php if ( '' !== $hint ) : ?>
				<p class="description"><?php echo esc_html( $hint ); ?></p>
			<?php endif; ?>
		</td>
	</tr>
	<?php
}

/**
 * Prints the row with the paths.
 *
 * @param array $settings The settings.
 */
function sohbet_render_paths( $settings ) {
	?>
	<tr>
		<th scope="row"><label for="sohbet-paths"><?php esc_html_e( 'Paths', 'sohbet' ); ?></label></th>
		<td>
			<textarea class="regular-text code" rows="4" id="sohbet-paths" name="sohbet[paths]" aria-describedby="sohbet-paths-hint"><?php echo esc_textarea( $settings['paths'] ); ?></textarea>
			<p class="description" id="sohbet-paths-hint"><?php esc_html_e( 'One a line, such as /contact or /checkout*. The asterisk stands for anything.', 'sohbet' ); ?></p>
		</td>
	</tr>
	<?php
}

/**
 * Prints the row with the consent that the chat waits for.
 *
 * @param array $settings The settings.
 */
function sohbet_render_consent( $settings ) {
	$choices = array(
		''            => __( 'Do not wait: nothing is stored before the first message', 'sohbet' ),
		'functional'  => __( 'Wait for: functional', 'sohbet' ),
		'preferences' => __( 'Wait for: preferences', 'sohbet' ),
		'statistics'  => __( 'Wait for: statistics', 'sohbet' ),
		'marketing'   => __( 'Wait for: marketing', 'sohbet' ),
	);
	$hint    = function_exists( 'wp_has_consent' )
		? __( 'The plugin WP Consent API is active.', 'sohbet' )
		: __( 'Waiting needs the plugin WP Consent API and a cookie banner that works with it.', 'sohbet' );
	sohbet_render_choice( 'consent', __( 'Consent', 'sohbet' ), $settings, $choices, $hint );
}

/**
 * Prints the row with the identity of people who are signed in. The stored secret is never printed.
 *
 * @param array $settings The settings.
 */
function sohbet_render_identity( $settings ) {
	$is_stored = '' !== get_option( SOHBET_SECRET, '' );
	?>
	<tr>
		<th scope="row"><?php esc_html_e( 'Signed-in visitors', 'sohbet' ); ?></th>
		<td>
			<p><label>
				<input type="checkbox" name="sohbet[identity]" value="1" <?php checked( $settings['identity'], '1' ); ?>>
				<?php esc_html_e( 'Tell the team their name and e-mail address, signed by this site', 'sohbet' ); ?>
			</label></p>
			<p>
				<label for="sohbet-secret"><?php esc_html_e( 'Identity secret', 'sohbet' ); ?></label><br>
				<input class="regular-text" type="password" autocomplete="off" id="sohbet-secret" name="sohbet[secret]" value="" placeholder="<?php echo esc_attr( $is_stored ? __( 'Stored; type to replace it', 'sohbet' ) : '' ); ?>" aria-describedby="sohbet-secret-hint">
			</p>
			<p class="description" id="sohbet-secret-hint"><?php esc_html_e( 'Owners and admins find it in the panel with the site. It is stored in the database and not shown again.', 'sohbet' ); ?></p>
			<?php if ( $is_stored ) : ?>
				<p><label>
					<input type="checkbox" name="sohbet[forget_secret]" value="1">
					<?php esc_html_e( 'Forget the stored secret', 'sohbet' ); ?>
				</label></p>
			<?php endif; ?>
		</td>
	</tr>
	<?php
}

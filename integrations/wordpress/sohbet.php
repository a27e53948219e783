<?php
/**
 * Plugin Name:       Sohbet
 * Description:       Puts the Sohbet chat on your site, and tells your team which signed-in visitor writes.
 * Version:           0.0.0-dev
 * Requires at least: 5.8
 * Requires PHP:      7.4
 * Text Domain:       sohbet
 * Domain Path:       /languages
 *
 * @package Sohbet
 */

defined( 'ABSPATH' ) || exit;

define( 'SOHBET_VERSION', '0.0.0-dev' );
define( 'SOHBET_FILE', __FILE__ );

require_once __DIR__ . '/includes/settings.php';
require_once __DIR__ . '/includes/identity.php';
require_once __DIR__ . '/includes/tag.php';
require_once __DIR__ . '/includes/chat-page.php';

add_action( 'init', 'sohbet_load_translations', 5 );
add_action( 'init', 'sohbet_register_assets' );
add_action( 'init', 'sohbet_register_chat_page' );
add_action( 'wp_enqueue_scripts', 'sohbet_enqueue_tag' );
add_filter( 'script_loader_tag', 'sohbet_add_attributes', 10, 2 );
add_action( 'wp_logout', 'sohbet_mark_sign_out' );
add_filter( 'wp_consent_api_registered_' . plugin_basename( __FILE__ ), '__return_true' );

if ( is_admin() ) {
	require_once __DIR__ . '/includes/settings-form.php';
	require_once __DIR__ . '/includes/settings-page.php';
	add_action( 'admin_menu', 'sohbet_add_settings_page' );
	add_filter( 'plugin_action_links_' . plugin_basename( __FILE__ ), 'sohbet_add_settings_link' );
}

/**
 * Loads the words of the plugin's own folder.
 */
function sohbet_load_translations() {
	load_plugin_textdomain( 'sohbet', false, dirname( plugin_basename( SOHBET_FILE ) ) . '/languages' );
}

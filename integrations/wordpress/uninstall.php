<?php
/**
 * Leaves nothing in the database, on no site of a network.
 *
 * @package Sohbet
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/settings.php';

/**
 * Deletes what the plugin stored on the current site.
 */
function sohbet_delete_options() {
	delete_option( SOHBET_SETTINGS );
	delete_option( SOHBET_SECRET );
}

if ( is_multisite() ) {
	$sohbet_sites = get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	);
	foreach ( $sohbet_sites as $sohbet_site ) {
		switch_to_blog( $sohbet_site );
		sohbet_delete_options();
		restore_current_blog();
	}
} else {
	sohbet_delete_options();
}

package touchline.api.db;

import org.jspecify.annotations.Nullable;
import touchline.api.domain.WebhookEndpoint;

/**
 * Addresses of webhook endpoints as they are stored: the query, which may hold a credential, is
 * sealed. Any thread.
 */
final class EndpointUrls {
    private static final char QUERY = '?';

    private final SecretVault vault;

    EndpointUrls(SecretVault vault) {
        this.vault = vault;
    }

    /**
     * An address in two columns.
     *
     * @param bare up to the query
     * @param query sealed, without the question mark; null if there is none
     */
    record Stored(String bare, @Nullable String query) {
        @Override
        public String toString() {
            return "Stored[" + bare + "]";
        }
    }

    Stored toStore(WebhookEndpoint endpoint) {
        return sealed(endpoint.url(), endpoint.id());
    }

    /** The whole address. */
    String url(Stored stored, String endpoint) {
        return stored.query() == null
                ? stored.bare()
                : stored.bare() + QUERY + vault.open(stored.query(), owner(endpoint));
    }

    /** Sealed with the present master key, also where an earlier version has not sealed it. */
    Stored fresh(Stored stored, String endpoint) {
        boolean good =
                stored.bare().indexOf(QUERY) < 0
                        && (stored.query() == null || !vault.isStale(stored.query()));
        return good ? stored : sealed(url(stored, endpoint), endpoint);
    }

    private Stored sealed(String url, String endpoint) {
        int query = url.indexOf(QUERY);
        return query < 0
                ? new Stored(url, null)
                : new Stored(
                        url.substring(0, query),
                        vault.seal(url.substring(query + 1), owner(endpoint)));
    }

    /** Another one than of the endpoint's secret: neither can stand in the other's place. */
    private static String owner(String endpoint) {
        return endpoint + " query";
    }
}

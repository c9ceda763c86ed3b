package touchline.api.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Builds the HTTP client behind {@link Egress}, without redirects, retries, cookies, credentials,
 * decompression, proxies and environment settings. The size of answer heads is limited. All
 * addresses come from one resolver.
 */
final class HttpPool {
    private static final Timeout CONNECT = Timeout.ofSeconds(5);
    private static final Timeout HANDSHAKE = Timeout.ofSeconds(10);
    private static final int MAX_LINE_BYTES = 16 * 1024;
    private static final int MAX_HEADERS = 100;
    private static final int MAX_CONNECTIONS = 4_096;
    private static final TimeValue IDLE = TimeValue.ofSeconds(20);

    /** Receivers close idle connections after seconds. An older connection is tested before use. */
    private static final TimeValue TRUSTED = TimeValue.ofMilliseconds(500);

    private HttpPool() {}

    /** The addresses of a host, checked. */
    @FunctionalInterface
    interface Addresses {
        List<InetAddress> of(String host) throws UnknownHostException;
    }

    /** A client, and its connections. */
    record Pool(CloseableHttpClient client, PoolingHttpClientConnectionManager connections) {}

    static Pool client(Addresses addresses) {
        return client(addresses, List.of());
    }

    /**
     * @param authorities that servers are trusted by; empty: as the JDK does
     * @throws IllegalArgumentException if an authority cannot be used
     */
    static Pool client(Addresses addresses, List<X509Certificate> authorities) {
        PoolingHttpClientConnectionManager connections =
                PoolingHttpClientConnectionManagerBuilder.create()
                        .setTlsSocketStrategy(
                                authorities.isEmpty()
                                        ? DefaultClientTlsStrategy.createDefault()
                                        : new DefaultClientTlsStrategy(trusting(authorities)))
                        .setDnsResolver(new CheckedDns(addresses))
                        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                        .setMaxConnTotal(MAX_CONNECTIONS)
                        // No limit per host: one caller must not wait for another. Callers have
                        // their own limits.
                        .setMaxConnPerRoute(MAX_CONNECTIONS)
                        .setConnectionFactory(
                                ManagedHttpClientConnectionFactory.builder()
                                        .http1Config(
                                                Http1Config.custom()
                                                        .setMaxLineLength(MAX_LINE_BYTES)
                                                        .setMaxHeaderCount(MAX_HEADERS)
                                                        .setMaxEmptyLineCount(2)
                                                        .build())
                                        .build())
                        .setDefaultConnectionConfig(
                                ConnectionConfig.custom()
                                        .setConnectTimeout(CONNECT)
                                        .setValidateAfterInactivity(TRUSTED)
                                        .setTimeToLive(TimeValue.ofMinutes(5))
                                        .build())
                        .setDefaultTlsConfig(
                                TlsConfig.custom().setHandshakeTimeout(HANDSHAKE).build())
                        .build();
        CloseableHttpClient client =
                HttpClientBuilder.create()
                        .setConnectionManager(connections)
                        .setRoutePlanner(new DefaultRoutePlanner(null))
                        .setUserAgent("Touchline")
                        .disableAutomaticRetries()
                        .disableRedirectHandling()
                        .disableCookieManagement()
                        .disableAuthCaching()
                        .disableConnectionState()
                        .disableContentCompression()
                        .evictIdleConnections(IDLE)
                        .evictExpiredConnections()
                        .build();
        return new Pool(client, connections);
    }

    private static SSLContext trusting(List<X509Certificate> authorities) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (X509Certificate each : authorities) {
                trusted.setCertificateEntry(each.getSubjectX500Principal().getName(), each);
            }
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(/* km= */ null, factory.getTrustManagers(), /* random= */ null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("authorities: " + e.getMessage(), e);
        }
    }

    /** Called for names and for literals. */
    private record CheckedDns(Addresses addresses) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return addresses.of(host).toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}

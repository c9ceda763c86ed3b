package touchline.api.egress;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import software.amazon.awssdk.http.SdkHttpClient;
import touchline.media.net.AddressRules;

/**
 * The HTTP client for webhooks, notifications, transcoding inputs and storage, and the addresses of
 * restreams. Every connection goes to an address that was checked. HTTP/1.1 with kept connections.
 * Calls block, so they belong on virtual threads. An interrupt ends a call. Any thread; the creator
 * closes it.
 */
public final class Egress implements AutoCloseable {
    private final AddressGuard guard;
    private final HttpPool.Pool client;
    private final HttpPool.Pool plainByName;
    private final PublicUrlRules urls;
    private final ScheduledThreadPoolExecutor timers;

    /** With the system's resolver. */
    public Egress(AddressRules rules) {
        this(AddressGuard.ofSystem(rules));
    }

    Egress(AddressGuard guard) {
        this.guard = guard;
        this.client = HttpPool.client(guard::permitted);
        this.plainByName = HttpPool.client(guard::allowedByName);
        this.urls = new PublicUrlRules(guard);
        this.timers =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("egress-timer").daemon().factory());
        timers.setRemoveOnCancelPolicy(true);
    }

    /** The rules for addresses that clients give. */
    public PublicUrlRules urls() {
        return urls;
    }

    /** Closes kept connections: the rules have changed, and the next one is checked by the new. */
    public void rulesChanged() {
        client.connections().closeIdle(TimeValue.ZERO_MILLISECONDS);
        plainByName.connections().closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    /**
     * Sends a small body to a receiver of events or notifications. {@code egress.allow} has to name
     * http addresses. Any status is an answer. Redirects are not followed. The answer is read up to
     * the limit. The request is repeated when the receiver closed a kept connection: rarely, a
     * receiver sees a request twice.
     *
     * @param body not written to
     * @throws EgressException without a complete answer
     */
    public EgressAnswer post(URI url, Map<String, String> headers, byte[] body, EgressLimits limits)
            throws EgressException {
        boolean plain = !"https".equalsIgnoreCase(url.getScheme());
        HttpPost request = new HttpPost(url);
        headers.forEach(request::setHeader);
        request.setEntity(new ByteArrayEntity(body, null));
        return exchange(
                plain ? plainByName : client,
                request,
                limits,
                response -> answer(response, limits));
    }

    /**
     * Downloads a file. A broken transfer is resumed. A few redirects are followed, each to a
     * checked address.
     *
     * @param to written from its start; incomplete after a failure
     * @param progress receives the number of stored bytes, often
     * @return its size in bytes
     * @throws EgressException where the server or the connection fails
     * @throws IOException where it cannot be written
     */
    public long download(URI url, Path to, DownloadLimits limits, LongConsumer progress)
            throws IOException {
        return new Download(this, limits, progress).fetch(url, to);
    }

    /**
     * This client for the AWS SDK, which signs the requests. Closing it closes nothing.
     *
     * @param limits of each request; the size of answers is not limited by them
     */
    public SdkHttpClient forAws(EgressLimits limits) {
        return new AwsHttpClient(this, limits);
    }

    /**
     * This client in the shape of the JDK's, for libraries that want one; the caller closes it.
     *
     * @param limits of each request
     * @param authorities that servers are trusted by; empty: as the JDK does
     * @throws IllegalArgumentException if an authority cannot be used
     */
    public HttpClient httpClient(EgressLimits limits, List<X509Certificate> authorities) {
        return new EgressHttpClient(this, HttpPool.client(guard::permitted, authorities), limits);
    }

    /**
     * The addresses of a host, for a connection that is not HTTP; each is permitted. Connect to
     * these, and do not look the host up again. Blocks on name resolution for a bounded time.
     *
     * @param host as written in a URL
     * @throws EgressException if an address is refused, or there is none
     */
    public List<InetAddress> addresses(String host) throws EgressException {
        try {
            return guard.permitted(host);
        } catch (UnknownHostException e) {
            throw failure(e, /* late= */ false);
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
        client.client().close(CloseMode.IMMEDIATE);
        plainByName.client().close(CloseMode.IMMEDIATE);
    }

    /** Reads an answer before its connection returns to the pool. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ClassicHttpResponse response) throws IOException;
    }

    /** One request to any checked address, and its answer read within the limits. */
    <T> T exchange(HttpUriRequestBase request, EgressLimits limits, Reader<T> reader)
            throws EgressException {
        return exchange(client, request, limits, reader);
    }

    /** As {@link #exchange(HttpUriRequestBase, EgressLimits, Reader)}, by another client. */
    <T> T exchange(
            HttpPool.Pool by, HttpUriRequestBase request, EgressLimits limits, Reader<T> reader)
            throws EgressException {
        configure(request, limits);
        try (Deadline deadline = Deadline.start(timers, limits.total(), request::cancel)) {
            try {
                return read(answered(by.client(), request, deadline), request, reader);
            } catch (IOException e) {
                throw failure(e, deadline.passed());
            }
        }
    }

    /** Sends again when the receiver closed a kept connection. */
    private static ClassicHttpResponse answered(
            CloseableHttpClient by, HttpUriRequestBase request, Deadline deadline)
            throws IOException {
        HttpHost target = target(request);
        try {
            return by.executeOpen(target, request, HttpClientContext.create());
        } catch (NoHttpResponseException | SocketException e) {
            boolean unreachable =
                    e instanceof ConnectException || e instanceof NoRouteToHostException;
            if (unreachable || deadline.passed() || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return by.executeOpen(target, request, HttpClientContext.create());
        }
    }

    private static <T> T read(
            ClassicHttpResponse response, HttpUriRequestBase request, Reader<T> reader)
            throws IOException {
        boolean whole = false;
        try {
            T read = reader.read(response);
            whole = isRead(response);
            return read;
        } finally {
            if (!whole) {
                // Without it, closing reads the rest of the answer, of any size.
                request.cancel();
            }
            close(response);
        }
    }

    /** A failure here must not hide an earlier one. */
    private static void close(ClassicHttpResponse response) {
        try {
            response.close();
        } catch (IOException _) {
            // A connection that was cut in the middle of its answer.
        }
    }

    private static boolean isRead(ClassicHttpResponse response) {
        try {
            return response.getEntity() == null || response.getEntity().getContent().read() < 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** An open answer: the caller closes it, or cancels the request. */
    ClassicHttpResponse open(HttpUriRequestBase request, EgressLimits limits) throws IOException {
        configure(request, limits);
        return client.client().executeOpen(target(request), request, HttpClientContext.create());
    }

    /** A time limit of an answer that the caller reads. */
    Deadline deadline(EgressLimits limits, Runnable cancel) {
        return Deadline.start(timers, limits.total(), cancel);
    }

    private static void configure(HttpUriRequestBase request, EgressLimits limits) {
        request.setConfig(
                RequestConfig.custom()
                        .setConnectionRequestTimeout(Timeout.of(limits.total()))
                        .setResponseTimeout(Timeout.of(limits.silence()))
                        .setProtocolUpgradeEnabled(false)
                        .build());
    }

    private static HttpHost target(HttpUriRequestBase request) throws EgressException {
        if (request.getAuthority() == null || request.getScheme() == null) {
            throw new EgressException(EgressException.Kind.REFUSED, "no plain host");
        }
        return new HttpHost(
                request.getScheme(),
                request.getAuthority().getHostName(),
                request.getAuthority().getPort());
    }

    private static EgressAnswer answer(ClassicHttpResponse response, EgressLimits limits)
            throws IOException {
        int max = Math.toIntExact(limits.maxBodyBytes());
        byte[] body = new byte[0];
        boolean cut = false;
        if (response.getEntity() != null) {
            InputStream in = response.getEntity().getContent();
            body = in.readNBytes(max);
            // One more byte shows the end: then the connection can be kept.
            cut = in.read() >= 0;
        }
        return EgressAnswer.of(
                response.getCode(), statusLine(response), headers(response), body, cut);
    }

    private static String statusLine(ClassicHttpResponse response) {
        String reason = response.getReasonPhrase();
        return response.getVersion()
                + " "
                + response.getCode()
                + (reason == null || reason.isEmpty() ? "" : " " + reason);
    }

    private static List<Map.Entry<String, String>> headers(ClassicHttpResponse response) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (Header header : response.getHeaders()) {
            String value = header.getValue();
            headers.add(Map.entry(header.getName(), value == null ? "" : value));
        }
        return headers;
    }

    /** Describes a failure. A refused address is never contacted, so nothing of it appears. */
    static EgressException failure(IOException e, boolean late) {
        if (e instanceof EgressException known) {
            return known;
        }
        if (late) {
            return new EgressException(
                    EgressException.Kind.TIMEOUT, "no whole answer within the time allowed", e);
        }
        return switch (e) {
            case RefusedAddressException refused ->
                    new EgressException(EgressException.Kind.REFUSED, refused.reason(), refused);
            case UnknownHostException unknown ->
                    new EgressException(
                            EgressException.Kind.UNRESOLVED,
                            "the host's name has no address now",
                            unknown);
            case ConnectTimeoutException timeout ->
                    new EgressException(
                            EgressException.Kind.TIMEOUT, "no connection in time", timeout);
            case SocketTimeoutException timeout ->
                    new EgressException(EgressException.Kind.TIMEOUT, "no answer in time", timeout);
            case ConnectException refused ->
                    new EgressException(
                            EgressException.Kind.UNREACHABLE, "cannot connect", refused);
            case NoRouteToHostException barred ->
                    new EgressException(EgressException.Kind.UNREACHABLE, "cannot connect", barred);
            case SSLException tls ->
                    new EgressException(EgressException.Kind.TLS, "TLS: " + firstLine(tls), tls);
            case MessageConstraintException large ->
                    new EgressException(
                            EgressException.Kind.TOO_LARGE,
                            "the answer's head is too large",
                            large);
            default ->
                    new EgressException(
                            EgressException.Kind.BROKEN,
                            "the connection ended in the middle, or what came is no HTTP",
                            e);
        };
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}

package touchline.api.egress;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;

/**
 * {@link Egress} in the shape of the JDK's client, for libraries that want one: small requests and
 * answers, one after the other, no redirects. Every connection goes to a checked address. Any
 * thread; the creator closes it.
 */
final class EgressHttpClient extends HttpClient {
    private final Egress egress;
    private final HttpPool.Pool client;
    private final EgressLimits limits;

    /**
     * @param client owned
     * @param limits of each request
     */
    EgressHttpClient(Egress egress, HttpPool.Pool client, EgressLimits limits) {
        this.egress = egress;
        this.client = client;
        this.limits = limits;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest asked, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpUriRequestBase request = new HttpUriRequestBase(asked.method(), asked.uri());
        asked.headers()
                .map()
                .forEach((name, values) -> values.forEach(each -> request.addHeader(name, each)));
        asked.bodyPublisher()
                .map(EgressHttpClient::bytes)
                .filter(body -> body.length > 0)
                .ifPresent(body -> request.setEntity(new ByteArrayEntity(body, null)));
        return egress.exchange(client, request, limits, answer -> received(asked, answer, handler));
    }

    private <T> HttpResponse<T> received(
            HttpRequest asked, ClassicHttpResponse answer, HttpResponse.BodyHandler<T> handler)
            throws IOException {
        byte[] body = new byte[0];
        if (answer.getEntity() != null) {
            int max = Math.toIntExact(limits.maxBodyBytes());
            body = answer.getEntity().getContent().readNBytes(max + 1);
            if (body.length > max) {
                throw new EgressException(
                        EgressException.Kind.TOO_LARGE, "the answer is larger than allowed");
            }
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Header header : answer.getHeaders()) {
            headers.computeIfAbsent(header.getName(), _ -> new ArrayList<>())
                    .add(header.getValue() == null ? "" : header.getValue());
        }
        Head head = new Head(answer.getCode(), HttpHeaders.of(headers, (_, _) -> true));
        HttpResponse.BodySubscriber<T> subscriber = handler.apply(head);
        subscriber.onSubscribe(new NoSubscription());
        if (body.length > 0) {
            subscriber.onNext(List.of(ByteBuffer.wrap(body).asReadOnlyBuffer()));
        }
        subscriber.onComplete();
        return new Received<>(asked, head, subscriber.getBody().toCompletableFuture().join());
    }

    /** Publishers of texts and arrays publish within the call. */
    private static byte[] bytes(HttpRequest.BodyPublisher publisher) {
        HttpResponse.BodySubscriber<byte[]> body = HttpResponse.BodySubscribers.ofByteArray();
        publisher.subscribe(
                new Flow.Subscriber<>() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        body.onSubscribe(subscription);
                    }

                    @Override
                    public void onNext(ByteBuffer item) {
                        body.onNext(List.of(item));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        body.onError(failure);
                    }

                    @Override
                    public void onComplete() {
                        body.onComplete();
                    }
                });
        return body.getBody().toCompletableFuture().join();
    }

    /** Everything is passed at once, so nothing has to be asked for. */
    private static final class NoSubscription implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    private record Head(int statusCode, HttpHeaders headers) implements HttpResponse.ResponseInfo {
        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }

    private record Received<T>(HttpRequest request, Head head, T body) implements HttpResponse<T> {
        @Override
        public int statusCode() {
            return head.statusCode();
        }

        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public HttpHeaders headers() {
            return head.headers();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Version version() {
            return head.version();
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        throw new UnsupportedOperationException("calls block");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.PushPromiseHandler<T> pushed) {
        throw new UnsupportedOperationException("calls block");
    }

    @Override
    public void close() {
        client.client().close(CloseMode.IMMEDIATE);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS is part of every JDK", e);
        }
    }

    @Override
    public SSLParameters sslParameters() {
        return sslContext().getDefaultSSLParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}

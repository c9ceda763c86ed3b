package touchline.api.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.CookieHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.net.AddressRules;

/** The outgoing client in the shape of the JDK's. */
final class EgressHttpClientIT {
    private static final int MAX_BYTES = 1_000;

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(204, "X-Empty:"));
    private final Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));
    private final HttpClient client =
            egress.httpClient(
                    new EgressLimits(Duration.ofSeconds(20), Duration.ofSeconds(60), MAX_BYTES),
                    List.of());

    @AfterEach
    void close() {
        client.close();
        egress.close();
        receiver.close();
    }

    private static HttpRequest post(URI uri) {
        return HttpRequest.newBuilder(uri)
                .header("X-Test", "yes")
                .POST(BodyPublishers.ofString("hello"))
                .build();
    }

    private void answer(int status, String body, String... headers) {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(status, body.length(), headers) + body);
                    return true;
                });
    }

    @Test
    void send_withABody_arrivesAndIsAnswered() throws Exception {
        answer(201, "made", "X-Answer: 1", "X-Answer: 2");
        URI uri = receiver.url("/new?x=1");

        HttpResponse<String> response = client.send(post(uri), BodyHandlers.ofString());

        assertEquals(201, response.statusCode());
        assertEquals("made", response.body());
        assertEquals(List.of("1", "2"), response.headers().allValues("x-answer"));
        assertEquals(uri, response.uri());
        assertEquals(uri, response.request().uri());
        assertEquals(HttpClient.Version.HTTP_1_1, response.version());
        assertTrue(response.previousResponse().isEmpty() && response.sslSession().isEmpty());
        RawReceiver.Request sent = receiver.requests().getFirst();
        assertEquals("POST /new?x=1 HTTP/1.1", sent.line());
        assertEquals("yes", sent.header("X-Test"));
        assertEquals("hello", sent.body());
    }

    @Test
    void send_answerWithoutABody_isEmpty() throws Exception {
        HttpResponse<String> response =
                client.send(post(receiver.url("/")), BodyHandlers.ofString());

        assertEquals("", response.body());
        assertEquals(Optional.of(""), response.headers().firstValue("X-Empty"));
    }

    @Test
    void send_answerAboveTheLimit_isRefused() throws Exception {
        answer(200, "x".repeat(MAX_BYTES));
        assertEquals(
                MAX_BYTES,
                client.send(post(receiver.url("/")), BodyHandlers.ofString()).body().length());

        answer(200, "x".repeat(MAX_BYTES + 1));
        EgressException failure =
                assertThrows(
                        EgressException.class,
                        () -> client.send(post(receiver.url("/")), BodyHandlers.ofString()));

        assertEquals(EgressException.Kind.TOO_LARGE, failure.kind());
    }

    @Test
    void send_toAnAddressThatIsNotAllowed_isRefused() {
        EgressException failure =
                assertThrows(
                        EgressException.class,
                        () ->
                                client.send(
                                        post(URI.create("http://10.1.2.3/")),
                                        BodyHandlers.ofString()));

        assertEquals(EgressException.Kind.REFUSED, failure.kind());
    }

    /** A library that follows these finds no way around the rules for addresses. */
    @Test
    void client_hasNoSettingsOfItsOwn() throws Exception {
        answer(302, "", "Location: http://10.1.2.3/");
        assertEquals(
                302, client.send(post(receiver.url("/")), BodyHandlers.discarding()).statusCode());

        assertEquals(HttpClient.Redirect.NEVER, client.followRedirects());
        assertEquals(HttpClient.Version.HTTP_1_1, client.version());
        assertEquals(Optional.<CookieHandler>empty(), client.cookieHandler());
        assertTrue(client.proxy().isEmpty() && client.authenticator().isEmpty());
        assertTrue(client.executor().isEmpty() && client.connectTimeout().isEmpty());
        assertTrue(client.sslParameters().getProtocols().length > 0);
        HttpRequest request = post(receiver.url("/"));
        assertThrows(
                UnsupportedOperationException.class,
                () -> client.sendAsync(request, BodyHandlers.discarding()));
        assertThrows(
                UnsupportedOperationException.class,
                () -> client.sendAsync(request, BodyHandlers.discarding(), null));
    }
}

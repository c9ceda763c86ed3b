package touchline.api.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.certificate.Authority.IssuanceException;
import touchline.api.certificate.Authority.Window;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.api.egress.RawReceiver;
import touchline.config.AcmeConfig;
import touchline.media.net.AddressRules;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.PemFiles;
import touchline.media.tls.ServerCertificate;

/** A directory that refuses at each step (RFC 8555). AcmeIT has one that issues certificates. */
final class AcmeAuthorityIT {
    private static final List<String> DOMAINS = List.of("live.example");
    private static final String JSON = "application/json";

    @TempDir private Path dataDir;

    private final RawReceiver directory = new RawReceiver(this::answer);
    private final Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));
    private final HttpClient http =
            egress.httpClient(
                    new EgressLimits(Duration.ofSeconds(20), Duration.ofSeconds(60), 64 << 10),
                    List.of());
    private final TestAuthority ca = new TestAuthority();
    private final ManualClock clock = new ManualClock();

    /** Answers by path, in place of those of a directory that is well. */
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();

    private record Reply(int status, String type, String body, String... headers) {
        static Reply json(String body) {
            return new Reply(200, JSON, body);
        }

        static Reply problem(int status, String error, String detail, String... headers) {
            return new Reply(
                    status,
                    "application/problem+json",
                    "{\"type\": \"urn:ietf:params:acme:error:%s\", \"detail\": \"%s\"}"
                            .formatted(error, detail),
                    headers);
        }
    }

    @AfterEach
    void close() {
        http.close();
        egress.close();
        directory.close();
    }

    private boolean answer(RawReceiver.Request request, OutputStream out) throws IOException {
        String path = request.line().split(" ", -1)[1];
        Reply reply = replies.getOrDefault(path, usual(path));
        StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " Any\r\n");
        head.append("Replay-Nonce: bm9uY2U\r\nContent-Type: ").append(reply.type()).append("\r\n");
        for (String header : reply.headers()) {
            head.append(header).append("\r\n");
        }
        head.append("Content-Length: ").append(reply.body().length()).append("\r\n\r\n");
        boolean hasBody = !request.line().startsWith("HEAD ");
        RawReceiver.write(out, head + (hasBody ? reply.body() : ""));
        return true;
    }

    private Reply usual(String path) {
        return switch (path) {
            case "/dir" ->
                    Reply.json(
                            """
                            {"newNonce": "%1$s/nonce", "newAccount": "%1$s/account",
                              "newOrder": "%1$s/new", "renewalInfo": "%1$s/info"}
                            """
                                    .formatted(url("")));
            case "/account" ->
                    new Reply(201, JSON, "{\"status\": \"valid\"}", "Location: " + url("/acct/1"));
            case "/new" -> new Reply(201, JSON, order("ready"), "Location: " + url("/order"));
            case "/order", "/finalize" -> Reply.json(order("valid"));
            case "/authz" -> Reply.json(authorization("valid"));
            case "/cert" -> new Reply(200, "application/pem-certificate-chain", certificate());
            case "/challenge" ->
                    Reply.json(
                            """
                            {"type": "tls-alpn-01", "url": "%s", "token": "dG9rZW4",
                              "status": "invalid", "error": {"type": "x", "detail": "no route"}}
                            """
                                    .formatted(url("/challenge")));
            default -> new Reply(200, JSON, "{}");
        };
    }

    private URI url(String path) {
        return directory.url(path);
    }

    private String order(String status) {
        return """
        {"status": "%s", "identifiers": [{"type": "dns", "value": "live.example"}],
          "authorizations": ["%s"], "finalize": "%s", "certificate": "%s"}"""
                .formatted(status, url("/authz"), url("/finalize"), url("/cert"));
    }

    private String authorization(String status) {
        return """
        {"status": "%s", "identifier": {"type": "dns", "value": "live.example"},
          "challenges": [{"type": "tls-alpn-01", "url": "%s", "token": "dG9rZW4",
            "status": "pending"}]}"""
                .formatted(status, url("/challenge"));
    }

    private ServerCertificate issued() {
        return ca.issue(DOMAINS, clock.instant(), Duration.ofDays(90));
    }

    private String certificate() {
        try {
            return PemFiles.block("CERTIFICATE", issued().leaf().getEncoded());
        } catch (CertificateEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private AcmeAuthority authority(String path) {
        AcmeConfig config =
                new AcmeConfig(
                        DOMAINS,
                        Optional.of("ops@live.example"),
                        url(path),
                        /* httpPort= */ 0,
                        Optional.empty());
        return new AcmeAuthority(
                config,
                http,
                new AcmeStore(dataDir),
                _ -> () -> {},
                new CurrentCertificate(SelfSigned.placeholder(DOMAINS, clock.instant())),
                clock);
    }

    private IssuanceException refused() {
        IssuanceException failure =
                assertThrows(IssuanceException.class, () -> authority("/dir").issue(DOMAINS));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("tls.acme.directory " + url("/dir") + ": "), message);
        return failure;
    }

    private String reason() {
        return String.valueOf(refused().getMessage())
                .substring(("tls.acme.directory " + url("/dir") + ": ").length());
    }

    @Test
    void issue_certificateOfAnotherKey_isRefused() {
        // As a directory that goes on with an order of before.
        assertEquals("the directory issued a certificate for another key", reason());
    }

    @Test
    void issue_challengeThatFails_saysWhatMustBeReached() {
        replies.put("/authz", Reply.json(authorization("pending")));
        replies.put("/order", Reply.json(order("pending")));
        // Pending when it is read, and invalid when the challenge was tried.
        directory.behave(
                (request, out) -> {
                    if (request.line().startsWith("POST /challenge ")) {
                        replies.put("/authz", Reply.json(authorization("invalid")));
                    }
                    return answer(request, out);
                });

        assertEquals(
                "tls-alpn-01 for live.example failed: no route"
                        + " (port 443 of live.example must lead to the playback port)",
                reason());
    }

    @Test
    void issue_noChallengeThatFits_namesTheReason() {
        replies.put(
                "/authz", Reply.json(authorization("pending").replace("tls-alpn-01", "dns-01")));

        IssuanceException failure =
                assertThrows(IssuanceException.class, () -> authority("/dir").issue(DOMAINS));

        assertEquals(
                "live.example: the directory offers no TLS-ALPN-01, and HTTP-01 is not possible"
                        + " (tls.acme.http-port is 0)",
                failure.getMessage());
    }

    @Test
    void issue_orderThatFails_saysWhy() {
        String error = "\"error\": {\"type\": \"x\", \"detail\": \"CAA\\nforbids it\"}, ";
        replies.put("/order", Reply.json("{" + error + order("invalid").substring(1)));
        assertEquals("the order failed: CAA forbids it", reason());

        replies.put("/order", Reply.json(order("invalid")));
        assertEquals("the order failed: state INVALID", reason());
    }

    @Test
    void issue_tooManyRequests_waitsAsLongAsItIsAsked() {
        replies.put(
                "/new",
                Reply.problem(429, "rateLimited", "too many certificates", "Retry-After: 3600"));

        IssuanceException failure = refused();

        assertTrue(
                String.valueOf(failure.getMessage()).contains(": too many requests: "),
                failure::toString);
        Duration wait = Duration.between(Instant.now(), failure.notBefore().orElseThrow());
        assertTrue(wait.toMinutes() >= 50 && wait.toMinutes() <= 61, wait::toString);
    }

    @Test
    void issue_refusedAccount_hasTheDirectorysText_inBounds() {
        replies.put("/account", Reply.problem(403, "unauthorized", "x".repeat(2_000)));

        String message = String.valueOf(refused().getMessage());

        assertTrue(message.contains("xxxx"), message);
        assertEquals(500, message.length());
    }

    @Test
    void issue_failureOfALaterRequest_isTheDirectorys() {
        replies.put("/authz", Reply.problem(403, "unauthorized", "not yours"));

        assertTrue(reason().contains("not yours"));
    }

    @Test
    void issue_answerThatIsNoAcme_isRefused() {
        replies.put("/dir", Reply.json("{"));
        assertTrue(reason().length() > 10);

        replies.put("/dir", new Reply(200, "text/html", "<html></html>"));
        assertTrue(reason().length() > 10);

        replies.remove("/dir");
        replies.put("/authz", Reply.json("{\"status\": \"pending\"}"));
        assertTrue(reason().startsWith("the answer is not ACME: "));
    }

    @Test
    void issue_directoryThatDoesNotAnswer_hasTheFailureOfTheConnection() {
        directory.behave((_, _) -> false);

        assertTrue(reason().length() > 5);
    }

    @Test
    void renewalWindow_isTheDirectorys() {
        ServerCertificate shown = issued();
        directory.behave(
                (request, out) -> {
                    replies.put(
                            request.line().split(" ", -1)[1],
                            request.line().startsWith("GET /info/")
                                    ? Reply.json(
                                            "{\"suggestedWindow\": {"
                                                    + "\"start\": \"2027-01-02T03:04:05Z\","
                                                    + " \"end\": \"2027-01-03T03:04:05Z\"}}")
                                    : usual(request.line().split(" ", -1)[1]));
                    return answer(request, out);
                });

        assertEquals(
                Optional.of(
                        new Window(
                                Instant.parse("2027-01-02T03:04:05Z"),
                                Instant.parse("2027-01-03T03:04:05Z"))),
                authority("/dir").renewalWindow(shown));
    }

    @Test
    void renewalWindow_ofADirectoryThatHasNone_isEmpty() {
        ServerCertificate shown = issued();
        assertEquals(Optional.empty(), authority("/dir").renewalWindow(shown), "no window");

        replies.put("/dir", Reply.json("{\"newNonce\": \"%s\"}".formatted(url("/nonce"))));
        assertEquals(Optional.empty(), authority("/dir").renewalWindow(shown), "no resource");

        assertEquals(
                Optional.empty(),
                authority("/dir").renewalWindow(SelfSigned.placeholder(DOMAINS, clock.instant())));
    }
}

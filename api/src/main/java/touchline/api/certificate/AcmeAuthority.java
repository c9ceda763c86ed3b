package touchline.api.certificate;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeProtocolException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.provider.AbstractAcmeProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.AcmeConfig;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * An authority that speaks ACME (RFC 8555), by acme4j. Its requests go through the server's
 * outgoing client, so the directory's address has to be allowed like any other.
 */
final class AcmeAuthority implements Authority {
    private static final Logger log = LoggerFactory.getLogger(AcmeAuthority.class);

    /** For each step of an order: an authority may look at a challenge several times. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration FIRST_POLL = Duration.ofMillis(250);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(10);
    private static final int MAX_MESSAGE_CHARS = 500;

    private final AcmeConfig config;
    private final HttpClient http;
    private final AcmeStore store;
    private final Optional<ChallengePort> port;
    private final CurrentCertificate shown;
    private final InstantSource clock;

    /**
     * @param http sends the requests; borrowed
     * @param port of HTTP-01; not used where the configuration's port is 0
     */
    AcmeAuthority(
            AcmeConfig config,
            HttpClient http,
            AcmeStore store,
            ChallengePort port,
            CurrentCertificate shown,
            InstantSource clock) {
        this.config = config;
        this.http = http;
        this.store = store;
        this.port = config.httpPort() == 0 ? Optional.empty() : Optional.of(port);
        this.shown = shown;
        this.clock = clock;
    }

    @Override
    public ServerCertificate issue(List<String> domains)
            throws IssuanceException, InterruptedException {
        try {
            Order order = login(session()).newOrder().domains(domains).create();
            prove(order);
            awaited(order, Set.of(Status.READY, Status.VALID));
            if (order.getStatus() != Status.VALID) {
                KeyPair keys = AcmeStore.newKeys();
                order.execute(keys);
                awaited(order, Set.of(Status.VALID));
                ServerCertificate issued =
                        new ServerCertificate(
                                order.getCertificate().getCertificateChain(), keys.getPrivate());
                if (issued.isKeyOfCertificate()) {
                    return issued;
                }
            }
            throw failure("the directory issued a certificate for another key");
        } catch (AcmeException e) {
            throw failure(e);
        } catch (AcmeLazyLoadingException e) {
            throw e.getCause() instanceof AcmeException cause
                    ? failure(cause)
                    : failure(message(e), Optional.empty(), e);
        } catch (AcmeProtocolException e) {
            throw failure("the answer is not ACME: " + message(e), Optional.empty(), e);
        }
    }

    @Override
    public Optional<Window> renewalWindow(ServerCertificate certificate) {
        if (certificate.isSelfSigned()) {
            return Optional.empty();
        }
        try {
            Session session = session();
            if (session.resourceUrlOptional(Resource.RENEWAL_INFO).isEmpty()) {
                return Optional.empty();
            }
            // It is asked for without a signature (RFC 9773, 4.1), so any account will do.
            RenewalInfo info =
                    session.login(session.resourceUrl(Resource.RENEWAL_INFO), store.account())
                            .bindRenewalInfo(certificate.leaf());
            return Optional.of(
                    new Window(info.getSuggestedWindowStart(), info.getSuggestedWindowEnd()));
        } catch (AcmeException | RuntimeException e) {
            log.debug("certificate: no renewal information", e);
            return Optional.empty();
        }
    }

    private Session session() {
        return new Session(config.directory(), new Directory(http));
    }

    /** The account is created where there is none for the key (RFC 8555, 7.3.1). */
    private Login login(Session session) throws AcmeException {
        AccountBuilder account =
                new AccountBuilder().useKeyPair(store.account()).agreeToTermsOfService();
        config.email().ifPresent(account::addEmail);
        return account.createLogin(session);
    }

    private void prove(Order order) throws AcmeException, IssuanceException, InterruptedException {
        List<Authorization> open =
                order.getAuthorizations().stream()
                        .filter(each -> each.getStatus() != Status.VALID)
                        .toList();
        if (open.isEmpty()) {
            return;
        }
        try (DomainProof proof = new DomainProof(port, shown, clock)) {
            for (Authorization each : open) {
                Challenge challenge = proof.answer(each);
                challenge.trigger();
                if (settled(each) != Status.VALID) {
                    challenge.fetch();
                    throw refused(each, challenge);
                }
                proof.answered();
            }
        }
    }

    private IssuanceException refused(Authorization authorization, Challenge challenge) {
        String domain = authorization.getIdentifier().getDomain();
        String reason =
                challenge.getError().flatMap(Problem::getDetail).orElse("no reason is given");
        return failure(
                "%s for %s failed: %s (%s)"
                        .formatted(
                                challenge.getType(),
                                domain,
                                reason,
                                DomainProof.reached(challenge, domain)));
    }

    private void awaited(Order order, Set<Status> wanted)
            throws AcmeException, IssuanceException, InterruptedException {
        Status reached = polled(order, wanted);
        if (!wanted.contains(reached)) {
            String reason = order.getError().flatMap(Problem::getDetail).orElse("state " + reached);
            throw failure("the order failed: " + reason);
        }
    }

    private static Status settled(Authorization authorization)
            throws AcmeException, InterruptedException {
        return polled(authorization, Set.of(Status.VALID));
    }

    /** Asks until the state is wanted or final, with growing pauses. */
    private static Status polled(PollableResource resource, Set<Status> wanted)
            throws AcmeException, InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        Duration pause = FIRST_POLL;
        while (true) {
            Optional<Instant> retryAfter = resource.fetch();
            Status status = resource.getStatus();
            if (wanted.contains(status) || status == Status.INVALID || Instant.now().isAfter(end)) {
                return status;
            }
            Duration asked =
                    retryAfter.map(at -> Duration.between(Instant.now(), at)).orElse(pause);
            Thread.sleep(shorter(asked.isNegative() ? FIRST_POLL : asked));
            pause = shorter(pause.multipliedBy(2));
        }
    }

    private static Duration shorter(Duration pause) {
        return pause.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : pause;
    }

    private IssuanceException failure(AcmeException e) {
        return switch (e) {
            case AcmeNetworkException network ->
                    failure(
                            message(Objects.requireNonNullElse(network.getCause(), network)),
                            Optional.empty(),
                            e);
            case AcmeRateLimitedException limited ->
                    failure(
                            "too many requests: " + limited.getProblem(),
                            limited.getRetryAfter(),
                            e);
            case AcmeServerException refused ->
                    failure(refused.getProblem().toString(), Optional.empty(), e);
            default -> failure(message(e), Optional.empty(), e);
        };
    }

    private IssuanceException failure(String reason) {
        return failure(reason, Optional.empty(), null);
    }

    /** With one line of a bounded length: texts of the directory are in it. */
    private IssuanceException failure(
            String reason, Optional<Instant> notBefore, @Nullable Throwable cause) {
        String text =
                "tls.acme.directory %s: %s"
                        .formatted(config.directory(), reason.replaceAll("\\p{Cntrl}+", " "));
        return new IssuanceException(
                text.substring(0, Math.min(text.length(), MAX_MESSAGE_CHARS)), notBefore, cause);
    }

    private static String message(Throwable e) {
        return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    /** The generic directory behind the given client. */
    private static final class Directory extends AbstractAcmeProvider {
        private final HttpClient http;

        Directory(HttpClient http) {
            this.http = http;
        }

        @Override
        public boolean accepts(URI directory) {
            return true;
        }

        @Override
        public URL resolve(URI directory) {
            try {
                return directory.toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("tls.acme.directory: " + directory, e);
            }
        }

        @Override
        public HttpClient createHttpClient(NetworkSettings settings) {
            return http;
        }
    }
}

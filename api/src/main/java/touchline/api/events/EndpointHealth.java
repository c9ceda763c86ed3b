package touchline.api.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.DeliveryRepository;
import touchline.api.db.NewEvent;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.EventType;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookEndpoint.Reason;
import touchline.api.view.WebhookView;

/**
 * Stores delivery results and the health of their endpoint in one transaction. An endpoint that
 * fails for too long, or answers 410, is disabled. One thread; blocks.
 */
final class EndpointHealth {
    private static final Logger log = LoggerFactory.getLogger(EndpointHealth.class);

    /** An endpoint that fails this long without a success is disabled. */
    static final Duration MAX_FAILING = Duration.ofDays(5);

    private final String endpoint;
    private final Dependencies dependencies;
    private @Nullable Instant failingSince;

    /** All borrowed. */
    record Dependencies(
            Database database, DeliveryRepository deliveries, WebhookRepository endpoints) {}

    /** The health after a batch of results. */
    private record Verdict(
            @Nullable Instant failingSince, Optional<WebhookEndpoint.Disabled> end) {}

    EndpointHealth(WebhookEndpoint endpoint, Dependencies dependencies) {
        this.endpoint = endpoint.id();
        this.dependencies = dependencies;
        this.failingSince = endpoint.failingSince().orElse(null);
    }

    /**
     * Stores all or nothing.
     *
     * @return whether this call disabled the endpoint
     */
    boolean store(List<DeliveryOutcome> outcomes) {
        Verdict verdict = verdict(outcomes);
        boolean changed = !Optional.ofNullable(verdict.failingSince()).equals(since());
        boolean disabled =
                dependencies
                        .database()
                        .transaction(
                                () -> {
                                    dependencies.deliveries().store(outcomes);
                                    return (changed || verdict.end().isPresent())
                                            && storeHealth(verdict);
                                });
        failingSince = verdict.failingSince();
        if (disabled) {
            WebhookEndpoint.Disabled end = verdict.end().orElseThrow();
            log.warn("webhook={} is disabled: {}", endpoint, end.reason().wireName());
        }
        return disabled;
    }

    private Optional<Instant> since() {
        return Optional.ofNullable(failingSince);
    }

    private Verdict verdict(List<DeliveryOutcome> outcomes) {
        Instant since = failingSince;
        Optional<WebhookEndpoint.Disabled> end = Optional.empty();
        for (DeliveryOutcome outcome : outcomes) {
            DeliveryAttempt attempt = outcome.attempt();
            Instant at = attempt.at().plus(attempt.took());
            if (attempt.error().isEmpty()) {
                since = null;
                end = Optional.empty();
                continue;
            }
            since = since == null ? attempt.at() : since;
            if (attempt.httpStatus().equals(OptionalInt.of(WebhookSender.GONE))) {
                end = Optional.of(new WebhookEndpoint.Disabled(Reason.GONE, at));
            } else if (end.isEmpty() && !at.isBefore(since.plus(MAX_FAILING))) {
                end = Optional.of(new WebhookEndpoint.Disabled(Reason.FAILING, at));
            }
        }
        return new Verdict(since, end);
    }

    /** Whether this disabled it. A client may have disabled or deleted it meanwhile. */
    private boolean storeHealth(Verdict verdict) {
        Optional<WebhookEndpoint> before = dependencies.endpoints().find(endpoint);
        Optional<WebhookEndpoint> after =
                dependencies
                        .endpoints()
                        .change(
                                endpoint,
                                stored -> {
                                    WebhookEndpoint known =
                                            stored.failing(
                                                    Optional.ofNullable(verdict.failingSince()));
                                    return verdict.end()
                                            .filter(_ -> stored.enabled())
                                            .map(end -> known.disable(end.reason(), end.at()))
                                            .orElse(known);
                                });
        boolean disabled =
                after.filter(endpoint -> !endpoint.enabled()).isPresent()
                        && before.filter(WebhookEndpoint::enabled).isPresent();
        if (disabled) {
            dependencies
                    .database()
                    .outbox()
                    .append(
                            NewEvent.of(
                                    EventType.WEBHOOK_DISABLED,
                                    WebhookView.of(after.orElseThrow())));
        }
        return disabled;
    }
}

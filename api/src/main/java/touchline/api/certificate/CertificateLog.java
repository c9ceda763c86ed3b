package touchline.api.certificate;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.DatabaseException;
import touchline.api.db.NewEvent;
import touchline.api.domain.EventType;

/**
 * Sends {@code certificate.renewed} and {@code certificate.failed}. Storing happens on a thread of
 * its own: a database that is away must not delay a certificate. Any thread.
 */
final class CertificateLog implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CertificateLog.class);
    private static final int TRIES = 60;
    private static final long PAUSE_MS = 5_000;

    private final Consumer<NewEvent> store;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofVirtual().name("certificate-events").factory());

    CertificateLog(Database database) {
        this(event -> database.transact(() -> database.outbox().append(event)));
    }

    /**
     * @param store stores one event, and fails with {@link DatabaseException}
     */
    CertificateLog(Consumer<NewEvent> store) {
        this.store = store;
    }

    /** New handshakes see another certificate. */
    void renewed(CertificateStatus status) {
        log.info(
                "certificate: new handshakes see the one of {} for {}, valid until {}",
                status.issuer(),
                status.names(),
                status.notAfter());
        send(EventType.CERTIFICATE_RENEWED, status);
    }

    /** A replacement failed, and the certificate stays. */
    void failed(CertificateStatus status) {
        log.warn(
                "certificate: not replaced, the one valid until {} stays: {}",
                status.notAfter(),
                status.failure().map(CertificateStatus.Failure::message).orElse(""));
        send(EventType.CERTIFICATE_FAILED, status);
    }

    private void send(EventType type, CertificateStatus status) {
        NewEvent event = NewEvent.of(type, status.json());
        thread.execute(() -> stored(event));
    }

    private void stored(NewEvent event) {
        for (int i = 0; i < TRIES; i++) {
            try {
                store.accept(event);
                return;
            } catch (DatabaseException e) {
                log.debug("certificate: event not stored yet", e);
            }
            try {
                Thread.sleep(PAUSE_MS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        log.warn("certificate: an event was not stored, as the database did not answer");
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package touchline.media.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The certificate that all TLS listeners show, and its replacement. A new one is prepared by every
 * listener before the first of them shows it: either all change, or none does. Open connections
 * keep their keys. Any thread.
 */
public final class CurrentCertificate {
    /** A listener that shows the certificate. Called under the lock of the certificate. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Makes what new handshakes need.
         *
         * @return shows it to new handshakes from now on; it cannot fail
         * @throws IllegalArgumentException if the listener's TLS library cannot use it
         */
        Runnable prepare(ServerCertificate next);
    }

    private final Object lock = new Object();

    /** Certificates of running TLS-ALPN-01 challenges (RFC 8737), by domain in lower case. */
    private final ConcurrentMap<String, ServerCertificate> challenges = new ConcurrentHashMap<>();

    @GuardedBy("lock")
    private final List<Listener> listeners = new ArrayList<>();

    // Written under the lock.
    private volatile ServerCertificate current;

    public CurrentCertificate(ServerCertificate first) {
        this.current = first;
    }

    /**
     * The certificate of two PEM files as they are now; empty without files.
     *
     * @throws IllegalArgumentException if they cannot be used
     */
    public static Optional<CurrentCertificate> ofFiles(Optional<Path> cert, Optional<Path> key) {
        if (cert.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new CurrentCertificate(PemFiles.read(cert.get(), key.get())));
        } catch (UnusableCertificateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    public ServerCertificate get() {
        return current;
    }

    /**
     * Adds a listener, which shows the current certificate when this method returns.
     *
     * @throws IllegalArgumentException if it cannot use the current certificate
     */
    public void show(Listener listener) {
        synchronized (lock) {
            listener.prepare(current).run();
            listeners.add(listener);
        }
    }

    /**
     * Replaces the certificate: new handshakes see the next one when this method returns.
     *
     * @throws IllegalArgumentException if a listener cannot use it; all keep the current one
     */
    public void replace(ServerCertificate next) {
        synchronized (lock) {
            List<Runnable> prepared = new ArrayList<>();
            for (Listener listener : listeners) {
                prepared.add(listener.prepare(next));
            }
            current = next;
            prepared.forEach(Runnable::run);
        }
    }

    /** Whether a TLS-ALPN-01 challenge runs: only then handshakes need to be looked at. */
    public boolean isChallenged() {
        return !challenges.isEmpty();
    }

    /** The certificate that answers a TLS-ALPN-01 challenge for this name. */
    public Optional<ServerCertificate> challenge(String domain) {
        return Optional.ofNullable(challenges.get(domain));
    }

    /**
     * Answers TLS-ALPN-01 for a domain until the result is closed.
     *
     * @param domain in lower case
     */
    public AutoCloseable answer(String domain, ServerCertificate proof) {
        challenges.put(domain, proof);
        return () -> challenges.remove(domain, proof);
    }
}

package touchline.api.certificate;

import java.time.Duration;

/** Replaces the shown certificate when it is time. One thread steps; any asks for the status. */
interface Replacement {
    CertificateStatus status();

    /**
     * Does what is due.
     *
     * @return the time until the next step
     */
    Duration step() throws InterruptedException;
}

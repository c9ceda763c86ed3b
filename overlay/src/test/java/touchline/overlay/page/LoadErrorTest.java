package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoadErrorTest {
    /** Each message keeps Chromium's code, without the name of its component. */
    @ParameterizedTest
    @CsvSource({
        "net::ERR_BAD_SSL_CLIENT_AUTH_CERT, it asks for a client certificate",
        "net::ERR_UNKNOWN_URL_SCHEME, it redirects to an address that is neither http nor https",
        "net::ERR_INVALID_REDIRECT, it redirects to nowhere",
        "net::ERR_TOO_MANY_REDIRECTS, it redirects in a circle",
        "net::ERR_ABORTED, it is not a page",
        "net::ERR_UNSAFE_PORT, its port is not one of the web",
        "net::ERR_EMPTY_RESPONSE, its server ended the connection",
        "net::ERR_TUNNEL_CONNECTION_FAILED, it cannot be reached",
        "net::ERR_CERT_DATE_INVALID, its certificate is not trusted",
        "net::ERR_SSL_PROTOCOL_ERROR, its TLS failed",
        "net::ERR_FAILED, it cannot be loaded"
    })
    void describe_codeOfChromium_isSaidInWords(String error, String meaning) {
        assertEquals(
                meaning + " (" + error.substring("net::".length()) + ")",
                LoadError.describe(error));
    }
}

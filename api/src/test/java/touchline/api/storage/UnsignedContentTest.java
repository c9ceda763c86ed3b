package touchline.api.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * What the signature of a request says about its content. That a store takes it: RecordingHomeIT.
 */
final class UnsignedContentTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9000/match-archive/a",
                "http://store.example/match-archive/a",
                "https://store.example/match-archive/a",
                "https://store.example:9443/match-archive/a"
            })
    void put_overAnyProtocol_isSignedWithoutReadingItsContent(String url) {
        SdkHttpRequest request =
                SdkHttpRequest.builder().method(SdkHttpMethod.PUT).uri(URI.create(url)).build();

        SignedRequest signed =
                new UnsignedContent()
                        .signer()
                        .sign(
                                sign ->
                                        sign.identity(AwsBasicCredentials.create("key", "secret"))
                                                .request(request)
                                                .payload(UnsignedContentTest::content)
                                                .putProperty(
                                                        AwsV4HttpSigner.REGION_NAME, "us-east-1")
                                                .putProperty(
                                                        AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                                                .putProperty(
                                                        AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED,
                                                        false));

        assertEquals(URI.create(url), signed.request().getUri());
        assertEquals(
                Optional.of("UNSIGNED-PAYLOAD"),
                signed.request().firstMatchingHeader("x-amz-content-sha256"));
        String authorization =
                signed.request().firstMatchingHeader("Authorization").orElse("missing");
        assertTrue(authorization.contains("x-amz-content-sha256"), authorization);
    }

    private static InputStream content() {
        throw new AssertionError("the content is read");
    }
}

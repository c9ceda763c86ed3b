package touchline.api.storage;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signature Version 4 without a hash of the content, {@code UNSIGNED-PAYLOAD} (Amazon S3 API
 * Reference, "Signature calculations"), over plain HTTP too. The SDK does so over HTTPS only, and
 * cannot be asked to elsewhere: its signer sees each request as one over HTTPS. Stateless.
 */
final class UnsignedContent
        implements AuthScheme<AwsCredentialsIdentity>, HttpSigner<AwsCredentialsIdentity> {
    private static final String HTTPS = "https";

    private final AwsV4AuthScheme scheme = AwsV4AuthScheme.create();

    @Override
    public String schemeId() {
        return scheme.schemeId();
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
        return scheme.identityProvider(providers);
    }

    @Override
    public HttpSigner<AwsCredentialsIdentity> signer() {
        return this;
    }

    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
        SdkHttpRequest plain = request.request();
        SignedRequest signed =
                scheme.signer()
                        .sign(request.copy(copy -> copy.request(withProtocol(plain, HTTPS))));
        return signed.copy(copy -> copy.request(withProtocol(signed.request(), plain.protocol())));
    }

    private static SdkHttpRequest withProtocol(SdkHttpRequest request, String protocol) {
        int port = request.port();
        return request.copy(copy -> copy.protocol(protocol).port(port));
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(
            AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
        throw new UnsupportedOperationException("clients of S3 are synchronous here");
    }
}
